import { eq, ilike, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#api/core/database.ts";
import { searchedRows } from "#contract/activity.ts";
import { searchedTexts } from "./schema/parts.ts";
import { listTallies } from "./schema.ts";

/** The lists that stay fast with hundreds of thousands of rows: by the names of their tables. */
export type LongList = keyof typeof searchedTexts;

/** Some rows of a list: what their kind is, part by part as its triggers write it, and how many there are. */
export type KindCount = { kind: string[]; rows: number };

/** How many rows of each kind a list has, exactly; several entries may be of one kind. */
export const readKindCounts = async (db: Database, list: LongList): Promise<KindCount[]> => {
  const rows = await db.select().from(listTallies).where(eq(listTallies.list, list));
  return rows.map((row) => ({ kind: row.kind.split("/"), rows: row.rows }));
};

/** How many rows the kinds that `isWanted` have together. */
export const sumKindCounts = (
  kindCounts: readonly KindCount[],
  isWanted: (...kind: string[]) => boolean,
): number => kindCounts.reduce((sum, { kind, rows }) => sum + (isWanted(...kind) ? rows : 0), 0);

/** Whether a row of the list holds the text as it is, in any case. */
export const holds = (list: LongList, search: string): SQL =>
  sql`${searchedTexts[list]} like lower(${patternOf(search)})`;

/** A pattern for `like` and `ilike` that finds the exact text anywhere. */
export const patternOf = (search: string): string => `%${search.replace(/[\\%_]/g, "\\$&")}%`;

/** Whether one of the columns holds the text as it is, in any case; an empty text wants all rows. */
export const containsText = (columns: readonly PgColumn[], search: string): SQL | undefined =>
  search === "" ? undefined : or(...columns.map((column) => ilike(column, patternOf(search))));

/** How many rows there are, or at least are: see {@link countFound}. */
export type Counted = { total: number; totalIsEstimate: boolean };

/** Counts the rows that a search finds; beyond `searchedRows` it only says that there are more. */
export const countFound = async (db: Database, table: PgTable, wanted: SQL | undefined): Promise<Counted> => {
  const found = db
    .select({ one: sql`1` })
    .from(table)
    .where(wanted)
    .limit(searchedRows + 1)
    .as("found");
  const [row] = await db.select({ rows: sql<number>`count(*)`.mapWith(Number) }).from(found);
  const rows = row?.rows ?? 0;
  return { total: Math.min(rows, searchedRows), totalIsEstimate: rows > searchedRows };
};

/**
 * Rows in an order, where the absent counts as the smallest. Indexes have their nulls last too: an order that says nothing
 * of them is another one to PostgreSQL, even where there are none.
 */
export const directed = (by: PgColumn | SQL, order: "asc" | "desc"): SQL =>
  order === "asc" ? sql`${by} asc nulls first` : sql`${by} desc nulls last`;

/** A page as it is read: from the end that is nearer to it, which `isFromEnd` says. */
export type NearPage = { limit: number; offset: number; isFromEnd: boolean };

/** The shorter way to a page of a list of so many rows: to read past half of them is the longest. */
export const nearerEnd = (
  { limit, offset }: { limit: number; offset: number },
  { total, totalIsEstimate }: Counted,
): NearPage => {
  if (totalIsEstimate || offset <= total / 2) return { limit, offset, isFromEnd: false };
  const rows = Math.min(limit, total - offset);
  return { limit: Math.max(0, rows), offset: Math.max(0, total - offset - rows), isFromEnd: true };
};
