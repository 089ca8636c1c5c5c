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
