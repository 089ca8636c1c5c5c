/** The sub-pages by the first part of their address, in their order. */
const subPages = [
  "overview",
  "traffic",
  "addresses",
  "countries",
  "rates",
  "attacks",
  "bans",
  "history",
  "replay",
  "explain",
] as const;
export type SubPage = (typeof subPages)[number];

/** Where in the firewall's page somebody is; `id` is what follows the sub-page, such as that of a request. */
export type Place = { page: SubPage; id: string | null };

/** Reads the path below the firewall's page; `null` for one that leads nowhere. */
export const readPlace = (path: string): Place | null => {
  const [first = "", id, ...more] = path.split("?")[0]?.split("/").slice(1) ?? [];
  if (first === "" && id === undefined) return { page: "overview", id: null };
  const page = subPages.find((name) => name === first);
  if (page === undefined || page === "overview" || more.length > 0) return null;
  if (id === undefined || id === "") return { page, id: null };
  return page === "explain" ? { page, id: decoded(id) } : null;
};

/** The path of a sub-page; the overview is the page itself. */
export const pathOf = (page: SubPage, id?: string): string => {
  if (page === "overview") return "";
  return id === undefined ? `/${page}` : `/${page}/${encodeURIComponent(id)}`;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not something that was ever encoded: it is looked for as it stands.
    return part;
  }
};
