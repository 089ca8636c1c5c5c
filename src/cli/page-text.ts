import { formatCount } from "./format.ts";

/** A page's place in its list, as the API answers it. */
type Pagination = { total: number; totalIsEstimate: boolean; limit: number; offset: number };

/** How many there are in all: of a search beyond what is counted, that there are more. */
export const totalText = ({
  total,
  totalIsEstimate,
}: Pick<Pagination, "total" | "totalIsEstimate">): string =>
  `${totalIsEstimate ? "more than " : ""}${formatCount(total)}`;

/** How to go on behind a page of so many rows; empty at the end. */
export const nextText = (pagination: Pagination, rows: number): string => {
  const { total, totalIsEstimate, limit, offset } = pagination;
  const end = offset + rows;
  return end < total || (totalIsEstimate && rows === limit) ? `; the next with --offset ${end}` : "";
};
