import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { Activity } from "./contract.ts";
import { findDepth } from "./depth-store.ts";
import { activitiesFrom } from "./row-store.ts";
import { idList, type Selection } from "./selection-store.ts";

/** Which rows of a selection are wanted: `limit`, behind the `offset` newest. */
export type Slice = { offset: number; limit: number };

/** A slice of a selection, newest first. */
export const selectActivities = async (
  db: Database,
  selection: Selection,
  { offset, limit }: Slice,
): Promise<Activity[]> => {
  const { above, through, kinds } = selection;
  if (kinds.length === 0 || through - above <= offset) return [];
  // Numbers have no gaps: in a range that is wanted whole, a place is a subtraction.
  if (selection.isWhole) {
    const newest = through - offset;
    return activitiesFrom(
      db,
      sql`where id > ${above} and id <= ${newest} order by activities.id desc limit ${limit}`,
    );
  }
  const nearby = await selectNearby(db, selection, { offset, limit });
  if (nearby !== null) return nearby;
  if (mergedRows(kinds, offset + limit) <= deepRows) return selectByKinds(db, selection, { offset, limit });
  const depth = await findDepth(db, selection, { offset, limit });
  return depth === null ? [] : selectByKinds(db, depth.selection, { offset: depth.offset, limit });
};

// From here on it pays to count days first.
const deepRows = 50_000;

// So many rows are read in order faster than the heads of many kinds are merged. Measured at 10,000,000 rows.
const nearbyRows = 4_000;

/**
 * Walks back from the newest row where enough wanted ones should be near; `null` where they are not, or turn out to
 * stand elsewhere, all of a kind being old for example.
 */
export const selectNearby = async (
  db: Database,
  { above, through, kinds, total }: Selection,
  { offset, limit }: Slice,
): Promise<Activity[] | null> => {
  const wanted = offset + limit;
  const window = Math.ceil((4 * wanted * (through - above)) / total);
  if (window > Math.max(nearbyRows, Math.min(deepRows, mergedRows(kinds, wanted)))) return null;
  const lowest = Math.max(above, through - window);
  const found = await activitiesFrom(
    db,
    sql`where id > ${lowest} and id <= ${through} and kind_id + 0 = any(${idsOf(kinds)}::int[])
      order by activities.id desc limit ${limit} offset ${offset}`,
  );
  return found.length === limit || lowest === above ? found : null;
};

/** How many entries of the index a merge of kinds reads at most. */
const mergedRows = (kinds: Selection["kinds"], wanted: number): number =>
  kinds.length <= wanted ? kinds.reduce((sum, { rows }) => sum + Math.min(rows, wanted), 0) : wanted * wanted;

/** Merges the newest rows of the kinds: those of the `wanted` kinds alone whose newest row is newest. */
export const selectByKinds = (
  db: Database,
  { above, through, kinds }: Selection,
  { offset, limit }: Slice,
): Promise<Activity[]> => {
  const wanted = offset + limit;
  const ofKind = sql`select id from activities where kind_id = k and id > ${above} and id <= ${through} order by id desc`;
  return activitiesFrom(
    db,
    sql`join (
      select head.id from (
        select k, (${ofKind} limit 1) as newest
        from unnest(${idsOf(frontOf(kinds, through, wanted))}::int[]) k order by newest desc nulls last limit ${wanted}
      ) front cross join lateral (${ofKind} limit ${wanted}) head
      order by head.id desc limit ${limit} offset ${offset}
    ) page using (id) order by activities.id desc`,
  );
};

/** The kinds that the newest rows can be of: where a kind's newest row is beyond the range, it has to be looked for. */
const frontOf = (kinds: Selection["kinds"], through: number, wanted: number): Selection["kinds"] => {
  if (kinds.length <= wanted) return kinds;
  const known = kinds.filter(({ lastId }) => lastId <= through);
  const newest = known.sort((one, other) => other.lastId - one.lastId).slice(0, wanted);
  return [...kinds.filter(({ lastId }) => lastId > through), ...newest];
};

const idsOf = (kinds: Selection["kinds"]): string => idList(kinds.map(({ kind }) => kind.id));
