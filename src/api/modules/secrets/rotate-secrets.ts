import { requireOperator } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { planTexts } from "#contract/plan.ts";
import type { RotatedSlice, RotateInput, SecretsStatus } from "./contract.ts";
import { keyCheckPlace, type SealedPlace, sealedPlaces } from "./sealed-places.ts";
import { moveKeyCheck } from "./store.ts";

/** Where a walk stands: which place is next, behind which row, and how much was sealed again until now. */
type Cursor = { place: SealedPlace; key: string | null; resealed: number };

/**
 * Seals the next slice of everything stored under the current key. The note by which a start knows its key follows last,
 * with the row in the activity log, and only when nothing is left under the previous key. Interrupted, it is begun again:
 * what is done stays done. For the operator. Throws `VALIDATION_FAILED` for an `after` that was not answered by this.
 */
export const rotateSecrets = async (ctx: Context, { after = "" }: RotateInput): Promise<RotatedSlice> => {
  requireOperator(ctx);
  const cursor = readCursor(after);
  const { place } = cursor;
  const slice = await place.reseal(ctx, cursor.key);
  const resealed = cursor.resealed + slice.resealed;
  const next = nextOf(cursor, slice.next);
  const { table, column } = place;
  const unreadable = slice.unreadable.map((id) => ({ table, column, id }));
  if (next !== null)
    return {
      resealed: slice.resealed,
      remaining: await countRemaining(ctx),
      unreadable,
      isComplete: false,
      after: writeCursor({ ...next, resealed }),
    };
  const end = await finish(ctx, resealed);
  return {
    resealed: slice.resealed + end.resealed,
    remaining: end.remaining,
    unreadable: [...unreadable, ...end.unreadable],
    isComplete: true,
    after: null,
  };
};

/** What a rotation would do, all of its slices together. For the operator. */
export const planRotation = async (ctx: Context, { after = "" }: RotateInput): Promise<OwnPlan> => {
  requireOperator(ctx);
  readCursor(after);
  const count = await countRemaining(ctx);
  if (count === 0) return { summary: planTexts.nothing };
  const { fingerprint } = ctx.secrets;
  return {
    summary: `Would encrypt ${count} ${count === 1 ? "value" : "values"} again with key ${fingerprint}`,
  };
};

const finish = async (
  ctx: Context,
  resealed: number,
): Promise<Pick<RotatedSlice, "resealed" | "remaining" | "unreadable">> => {
  const left = await sum(sealedPlaces.map((place) => place.countLeft(ctx)));
  // What arrived behind the walk comes from a server that lacks the new key: the note must continue naming its key.
  if (left > 0) return { resealed: 0, remaining: left, unreadable: [] };
  const { fingerprint, previousFingerprint } = ctx.secrets;
  const outcome = await adminAction(
    ctx,
    {
      type: "configuration_changed",
      severity: "high",
      action: "Changed the application's key",
      described: (moved: Awaited<ReturnType<typeof moveKeyCheck>>) => {
        const values = resealed + (moved === "resealed" ? 1 : 0);
        if (values === 0) return null;
        const from = previousFingerprint === null ? "" : `from key ${previousFingerprint} `;
        return {
          description: `Encrypted ${values} ${values === 1 ? "value" : "values"} again, ${from}to key ${fingerprint}`,
        };
      },
    },
    (tx) => moveKeyCheck(tx, ctx.secrets),
  );
  const { table, column, id } = keyCheckPlace;
  return {
    resealed: outcome === "resealed" ? 1 : 0,
    remaining: 0,
    unreadable: outcome === "unreadable" ? [{ table, column, id }] : [],
  };
};

const countRemaining = (ctx: Context): Promise<number> =>
  sum([...sealedPlaces, keyCheckPlace].map(async (place) => (await place.count(ctx)).previous));

const sum = async (counts: Promise<number>[]): Promise<number> =>
  (await Promise.all(counts)).reduce((total, count) => total + count, 0);

const nextOf = ({ place }: Cursor, key: string | null): Pick<Cursor, "place" | "key"> | null => {
  if (key !== null) return { place, key };
  const following = sealedPlaces[sealedPlaces.indexOf(place) + 1];
  return following === undefined ? null : { place: following, key: null };
};

const writeCursor = ({ place, key, resealed }: Cursor): string =>
  [place.table, resealed, key].filter((part) => part !== null).join(":");

const readCursor = (after: string): Cursor => {
  const [table, resealed = "0", key = null] = after.split(":");
  const place = after === "" ? sealedPlaces[0] : sealedPlaces.find((known) => known.table === table);
  if (place === undefined || !/^\d{1,15}$/.test(resealed) || (key !== null && !place.isKey(key)))
    throw validationError([
      { path: "after", message: "Please continue with the `after` of the previous response" },
    ]);
  return { place, key, resealed: Number(resealed) };
};

/** Which keys there are, by their fingerprints, and how many values lie under which. For the operator. */
export const readSecrets = async (ctx: Context): Promise<SecretsStatus> => {
  requireOperator(ctx);
  const { fingerprint, previousFingerprint } = ctx.secrets;
  const places = await Promise.all(
    [...sealedPlaces, keyCheckPlace].map(async ({ table, column, count }) => ({
      table,
      column,
      ...(await count(ctx)),
    })),
  );
  return { fingerprint, previousFingerprint, places };
};
