/** Folds addresses of visitors into the pages that there are. */
export type PageTemplate = (path: string) => string;

/** Stands for every address that is no page. */
export const otherPages = "*";

const mostRemembered = 500;
// No page is called so: a folder whose every address is a page has this one, too.
const probe = "web-performance-probe";

/**
 * The page at an address: itself, `/folder/*` where one page stands for all addresses of a folder, or `*` for what is no
 * page. Whatever visitors send, there are no more of them than the application has pages.
 */
export const createPageTemplate = (isPage: (path: string) => boolean): PageTemplate => {
  const known = new Map<string, string>();

  const work = (path: string): string => {
    if (!isPage(path)) return otherPages;
    const parts = path.split("/");
    for (let length = 2; length < parts.length; length += 1) {
      const folder = parts.slice(0, length).join("/");
      if (isPage(`${folder}/${probe}`)) return `${folder}/*`;
    }
    return path;
  };

  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const template = work(path);
    if (known.size >= mostRemembered) known.clear();
    known.set(path, template);
    return template;
  };
};

/** Whether a page belongs to the admin area, which visitors never see. */
export const isAdminPage = (page: string): boolean => page === "/admin" || page.startsWith("/admin/");

/** Spans of time by which measurements are kept, all in UTC. */
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** `2026-11-21T13`: the hour of an instant. */
export const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

/** `2026-11-21`: the day of an instant. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** When an hour or a day, as named above, begins. */
export const startOf = (name: string): number =>
  Date.parse(name.length > 10 ? `${name}:00:00Z` : `${name}T00:00:00Z`);

/** The beginnings of the spans that lie between two instants, the first of them included. */
export const startsBetween = (from: number, to: number, spanMs: number): number[] => {
  const first = Math.ceil(from / spanMs) * spanMs;
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / spanMs)) },
    (_, at) => first + at * spanMs,
  );
};
