import type { Context } from "#api/core/context.ts";
import type { ResealedSlice } from "./sealed-places.ts";
import { findSealed, replaceSealed, type SealedColumn, type SealedRow, selectSealed } from "./store.ts";

/** How the values of a column are sealed: under which purpose, and bound to which place for a row. */
export type Sealing = { purpose: string; placeOf: (id: string) => string };

type Rows = { column: SealedColumn; sealing: Sealing };

// As many as take some milliseconds: other work on the embedded database goes on in between.
const sliceRows = 200;
// Whoever writes a row meanwhile does it under the current key; only a server that lacks it could go on and on.
const mostLooks = 5;

/**
 * Seals a slice of a column's values under the current key, each only in the place of the very bytes that were read. All
 * of them are opened, so that what neither key opens is found wherever it lies.
 */
export const resealRows = async (
  ctx: Context,
  { after, ...rows }: Rows & { after: string | null },
): Promise<ResealedSlice> => {
  const found = await selectSealed(ctx.db, rows.column, { after, limit: sliceRows });
  const slice: ResealedSlice = { resealed: 0, unreadable: [], next: null };
  for (const row of found) {
    const outcome = await resealRow(ctx, rows, row);
    if (outcome === "resealed") slice.resealed += 1;
    if (outcome === "unreadable") slice.unreadable.push(row.id);
  }
  return { ...slice, next: found.length < sliceRows ? null : (found.at(-1)?.id ?? null) };
};

/** How many of a column's values the previous key opens still. */
export const countLeftRows = async (ctx: Context, { column, sealing }: Rows): Promise<number> => {
  let left = 0;
  let after: string | null = null;
  do {
    const found: SealedRow[] = await selectSealed(ctx.db, column, { after, limit: sliceRows });
    for (const { id, sealed } of found) {
      if (ctx.secrets.keyOf(sealed) !== "previous") continue;
      const place = sealing.placeOf(id);
      if (opened(ctx, { purpose: sealing.purpose, place, sealed }) !== null) left += 1;
    }
    after = found.length < sliceRows ? null : (found.at(-1)?.id ?? null);
  } while (after !== null);
  return left;
};

const resealRow = async (
  ctx: Context,
  { column, sealing: { purpose, placeOf } }: Rows,
  { id, sealed }: SealedRow,
): Promise<"resealed" | "kept" | "unreadable"> => {
  let was: Uint8Array | null = sealed;
  for (let looks = 0; looks < mostLooks && was !== null; looks += 1) {
    const plain = opened(ctx, { purpose, place: placeOf(id), sealed: was });
    if (plain === null) return "unreadable";
    if (ctx.secrets.keyOf(was) === "current") return "kept";
    const is = ctx.secrets.seal(purpose, placeOf(id), plain);
    if (await replaceSealed(ctx.db, column, { id, was, is })) return "resealed";
    was = await findSealed(ctx.db, column, id);
  }
  return "kept";
};

const opened = (
  { secrets }: Context,
  { purpose, place, sealed }: { purpose: string; place: string; sealed: Uint8Array },
): Uint8Array | null => {
  try {
    return secrets.open(purpose, place, sealed);
  } catch {
    // Damaged, moved here from elsewhere, or under a key that is not at hand: the caller names it.
    return null;
  }
};
