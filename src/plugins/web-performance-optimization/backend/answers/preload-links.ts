/** Tells the `Link` header of a page's document: what browsers load for it, before they have read the document. */
export type PreloadLinks = (path: string) => string | null;

type PageFiles = (path: string) => { scripts: string[]; styles: string[] };

// Header lines of several kilobytes are refused by some proxies.
const mostLinks = 12;
const mostRemembered = 200;
const plainPath = /^\/[\w./~-]+$/;

/** Remembers what it told: pages do not change while the server runs. */
export const createPreloadLinks = (pageFiles: PageFiles): PreloadLinks => {
  const known = new Map<string, string | null>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const { scripts, styles } = pageFiles(path);
    // Scripts come after what the first picture needs: pages can be read without them.
    const links = [
      ...styles.filter((file) => plainPath.test(file)).map((file) => `<${file}>; rel=preload; as=style`),
      ...scripts
        .filter((file) => plainPath.test(file))
        .map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`),
    ];
    const header = links.length === 0 ? null : [...new Set(links)].slice(0, mostLinks).join(", ");
    if (known.size >= mostRemembered) known.clear();
    known.set(path, header);
    return header;
  };
};
