/** What the list of addresses shows; it stands in the address bar. */
export type AddressQuery = {
  kind: "allow" | "deny" | null;
  search: string;
  sort: AddressSort;
  page: number;
};

/** How the list can be ordered; the first is the usual one. */
export const addressSorts = ["created", "range", "hits"] as const;
type AddressSort = (typeof addressSorts)[number];

/** The lists. */
export const addressKinds = ["allow", "deny"] as const;

/** Rows of a page. */
export const pageSize = 50;

/** Reads the query of the address bar; what makes no sense counts as the usual. */
export const readQuery = (params: URLSearchParams): AddressQuery => ({
  kind: addressKinds.find((kind) => kind === params.get("kind")) ?? null,
  search: params.get("search") ?? "",
  sort: addressSorts.find((sort) => sort === params.get("sort")) ?? "created",
  page: readPage(params),
});

/** The query as the address bar has it; what is usual is left out. */
export const writeQuery = ({ kind, search, sort, page }: AddressQuery): URLSearchParams => {
  const params = new URLSearchParams();
  if (kind !== null) params.set("kind", kind);
  if (search !== "") params.set("search", search);
  if (sort !== "created") params.set("sort", sort);
  if (page > 1) params.set("page", String(page));
  return params;
};

/** The page that an address asks for, from 1. */
export const readPage = (params: URLSearchParams): number => {
  const page = Number(params.get("page") ?? 1);
  return Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 1;
};
