import type { Context } from "#api/core/context.ts";
import { countSealKeys, type KeyCounts, resealChain } from "#api/modules/activity/index.ts";
import { mailSealing } from "#api/modules/mail/index.ts";
import { pluginSecretSealing } from "#api/modules/plugins/index.ts";
import { totpSealing } from "#api/modules/second-factors/index.ts";
import { secretSealing } from "#api/modules/settings/index.ts";
import {
  countKeyCheck,
  countKeys,
  findSealed,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
  selectSealed,
} from "./store.ts";

/** What one slice of a place came to: rows that neither key opens by their ids, and where to continue, `null` at the end. */
type ResealedSlice = { resealed: number; unreadable: string[]; next: string | null };

/** One kind of value that lies sealed in the database for long, and the way to seal it again. */
export type SealedPlace = {
  table: string;
  column: string;
  /** Under which of the derived keys it is sealed. */
  purpose: string;
  count(ctx: Context): Promise<KeyCounts>;
  /** Seals the next 200 values at most, behind a row. */
  reseal(ctx: Context, after: string | null): Promise<ResealedSlice>;
  /** How many values are left that only the previous key opens. */
  countLeft(ctx: Context): Promise<number>;
  /** Whether a text can name a row to continue behind. */
  isKey(text: string): boolean;
};

const rowByRow = (column: SealedColumn, sealing: Sealing): SealedPlace => ({
  table: column.table,
  column: column.column,
  purpose: sealing.purpose,
  count: ({ db, secrets }) => countKeys(db, column, secrets),
  reseal: (ctx, after) => resealRows(ctx, { column, sealing, after }),
  countLeft: async (ctx) => {
    const { previous } = await countKeys(ctx.db, column, ctx.secrets);
    return previous === 0 ? 0 : countLeftRows(ctx, { column, sealing });
  },
  isKey: (text) => (column.keyType === "uuid" ? uuid : name).test(text),
});

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const name = /^[\w./-]{1,110}$/;
const onceMore = "again";

/** Facts that wait cannot be changed, only taken over into the log: that is what happens to them. */
const inbox: SealedPlace = {
  table: "activity_inbox",
  column: "fact",
  purpose: "activity",
  count: async ({ db, secrets }) => (await countSealKeys(db, secrets)).inbox,
  reseal: async (ctx) => {
    const waiting = async () => (await inbox.count(ctx)).previous;
    const before = await waiting();
    if (before === 0) return { resealed: 0, unreadable: [], next: null };
    await ctx.activity.settle();
    const after = await waiting();
    return {
      resealed: Math.max(0, before - after),
      unreadable: [],
      next: after > 0 && after < before ? onceMore : null,
    };
  },
  // What no one's key opens is taken over too: the log then shows it.
  countLeft: async (ctx) => (await inbox.count(ctx)).previous,
  isKey: (text) => text === onceMore,
};

const chain: SealedPlace = {
  table: "activity_chain",
  column: "seal",
  purpose: "activity",
  count: async ({ db, secrets }) => (await countSealKeys(db, secrets)).chain,
  reseal: async ({ db, secrets }) => {
    const outcome = await resealChain(db, secrets);
    return {
      resealed: outcome === "resealed" ? 1 : 0,
      unreadable: outcome === "altered" ? ["1"] : [],
      next: null,
    };
  },
  countLeft: async ({ db, secrets }) => {
    // What was appended since by a server without the new key; an altered log keeps its seal, right under no key.
    await resealChain(db, secrets);
    return 0;
  },
  isKey: () => false,
};

/** Everything that is sealed for long, in the order in which it is sealed again. */
export const sealedPlaces: readonly SealedPlace[] = [
  rowByRow({ table: "setting_secrets", column: "sealed", key: "name", keyType: "text" }, secretSealing),
  rowByRow({ table: "plugin_secrets", column: "sealed", key: "id", keyType: "text" }, pluginSecretSealing),
  rowByRow({ table: "totp_secrets", column: "secret", key: "user_id", keyType: "uuid" }, totpSealing),
  rowByRow({ table: "mails", column: "content", key: "id", keyType: "uuid" }, mailSealing),
  inbox,
  chain,
];

/** The note by which a start knows its key: it moves when nothing else lies under the previous key any more. */
export const keyCheckPlace = {
  table: "installation",
  column: "value",
  purpose: "key-check",
  id: "key_check",
  count: ({ db, secrets }: Context) => countKeyCheck(db, secrets),
};

/** What is sealed and never stored, by purpose and place: for how long it lives, and what becomes of it with its key. */
export const briefSeals: Readonly<Record<string, string>> = {
  "oauth-state auth:state":
    "Ten minutes, in the URL that a provider redirects the browser to. Without its key, the sign-in has to be repeated.",
  "sign-in-step auth:step":
    "Ten minutes, in a cookie between password and second factor. Without its key the sign-in begins again.",
  "second-factor pending_totp_secrets:secret":
    "Fifteen minutes, while an authenticator app is set up. Without its key the setup begins again.",
};

/** How the values of a column are sealed: under which purpose, and bound to which place for a row. */
type Sealing = { purpose: string; placeOf: (id: string) => string };

type Rows = { column: SealedColumn; sealing: Sealing };

// As many as take some milliseconds: other work on the embedded database continues in between.
const sliceRows = 200;
// Whoever writes a row meanwhile does it under the current key; only a server that lacks it could go on and on.
const mostLooks = 5;

/**
 * Seals a slice of a column's values under the current key, each only in the place of the very bytes that were read. All
 * of them are opened, so that what neither key opens is found wherever it lies.
 */
const resealRows = async (
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
const countLeftRows = async (ctx: Context, { column, sealing }: Rows): Promise<number> => {
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
