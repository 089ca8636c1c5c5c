/**
 * Whether a path is that of a file and not of a page, there or not: names with a dot are files, and what is hidden is
 * no one's business. Who reads them makes no difference, so caches may keep them.
 */
export const isFileName = (path: string): boolean =>
  path.startsWith("/assets/") || path.includes("/.") || path.slice(path.lastIndexOf("/")).includes(".");
