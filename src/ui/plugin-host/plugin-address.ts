const mark = "http://plugin";
// Written in another way they would be decoded behind the check.
const hidden = /%2f|%5c|\\/i;

/** What `path` means below `base`, dots worked out; `null` when it leads out of there, or cannot be read. */
const below = (base: string, path: string): string | null => {
  if (!path.startsWith("/") || hidden.test(path) || !URL.canParse(base + path, mark)) return null;
  const { origin, pathname, search } = new URL(base + path, mark);
  const isInside = pathname === base || pathname.startsWith(`${base}/`);
  return origin === mark && isInside ? pathname + search : null;
};

/** The address of a call to the plugin's own routes; `null` for anything else. */
export const callAddress = (plugin: string, path: string): string | null => below(`/api/${plugin}`, path);

/** The plugin's own page in the admin area. */
export const pluginPage = (plugin: string): string => `/admin/plugins/${plugin}`;

/** A plugin's page on show: some have an address of their own, such as `/admin/firewall`. */
export type PageOnShow = { plugin: string; base: string };

/** The address of a place in the plugin's page on show, given below it or whole; `null` for anywhere else. */
export const pageAddress = ({ plugin, base }: PageOnShow, path: string): string | null => {
  const whole = [base, pluginPage(plugin)].find(
    (page) => path === page || [`${page}/`, `${page}?`].some((start) => path.startsWith(start)),
  );
  const own = whole ?? base;
  const rest = path.slice(whole?.length ?? 0);
  if (rest === "") return own;
  return below(own, rest.startsWith("?") ? `/${rest}` : rest)?.replace(/\/(?=\?|$)/, "") ?? null;
};
