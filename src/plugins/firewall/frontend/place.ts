import { texts } from "./texts.ts";

/** A sub-page by the first part of its address. */
export type SubPage = keyof typeof texts.tabs;

/** Where in the firewall's page somebody is; `id` is what follows the sub-page, such as that of a request. */
export type Place = { page: SubPage; id: string | null };

/** Reads the path below the firewall's page; `null` for one that leads nowhere. */
export const readPlace = (path: string): Place | null => {
  const [first = "", id, ...more] = path.split("?")[0]?.split("/").slice(1) ?? [];
  if (first === "" && id === undefined) return { page: "overview", id: null };
  if (!isSubPage(first) || first === "overview" || more.length > 0) return null;
  const page = first;
  if (id === undefined || id === "") return { page, id: null };
  return page === "explain" ? { page, id: decoded(id) } : null;
};

const isSubPage = (name: string): name is SubPage => Object.hasOwn(texts.tabs, name);

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
