import { pageLimits } from "#contract/limits.ts";

/** What a list shows: what matches `search`, on page `page` (from 1). Lives in the address bar. */
export type ListFilters = { search: string; page: number };

// Beyond any list that can be paged through, and within what the server takes as an offset.
const lastPage = 10_000_000;

/** Reads the filters from a query; a page that is no whole number from 1 to ten million counts as the first. */
export const readFilters = (params: URLSearchParams): ListFilters => {
  const page = Number(params.get("page") ?? 1);
  return {
    search: (params.get("search") ?? "").trim(),
    page: Number.isInteger(page) && page > 0 && page <= lastPage ? page : 1,
  };
};

/** The filters as a query; what is at its default is left out, so that the plain address stays plain. */
export const writeFilters = ({ search, page }: ListFilters): URLSearchParams => {
  const params = new URLSearchParams();
  if (search !== "") params.set("search", search);
  if (page > 1) params.set("page", String(page));
  return params;
};

/** The part of the whole list that a page shows. */
export const pageBounds = (page: number): { limit: number; offset: number } => ({
  limit: pageLimits.pageSize,
  offset: (page - 1) * pageLimits.pageSize,
});

/** The text if it is one of the known ones, else `null`. */
export const oneOf = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((value) => value === text) ?? null;
