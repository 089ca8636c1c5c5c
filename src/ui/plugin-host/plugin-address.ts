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

/** The address of a place in the plugin's own page, given below it or whole; `null` for anywhere else. */
export const pageAddress = (plugin: string, path: string): string | null => {
  const own = pluginPage(plugin);
  const isWhole = path === own || [`${own}/`, `${own}?`].some((start) => path.startsWith(start));
  const rest = isWhole ? path.slice(own.length) : path;
  if (rest === "") return own;
  return below(own, rest.startsWith("?") ? `/${rest}` : rest)?.replace(/\/(?=\?|$)/, "") ?? null;
};
