import { eq, sql } from "drizzle-orm";
import type { SealKey, SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain } from "#api/db/schema.ts";
import { sealEnds } from "./chain-seal.ts";
import { holdChain, lockChain } from "./held-chain-store.ts";

/** How many values lie under which key. */
export type KeyCounts = Record<SealKey, number>;

/**
 * Seals the log's ends under the current key, while nobody else may move them, and only once the seal that was there has
 * been found to be theirs: `altered` leaves everything as it is, so that what was tampered with is never sealed as if
 * Atrium had left it so. The writer finds it with its next batch and notes it for ever.
 */
export const resealChain = (db: Database, box: SecretBox): Promise<"resealed" | "kept" | "altered"> =>
  db.transaction(async (tx) => {
    const { seal } = await lockChain(tx);
    const { isAltered, ...ends } = await holdChain(tx, { box, known: null });
    if (isAltered) return "altered";
    // A log without a row has no seal yet.
    if (seal === null || box.keyOf(seal) === "current") return "kept";
    await tx
      .update(activityChain)
      .set({ seal: sealEnds(box, ends) })
      .where(eq(activityChain.id, 1));
    return "resealed";
  });

/** Where a log ended when its key was lost, and the seal on that: whoever finds the key can still prove it. */
export type FormerEnds = {
  headId: number;
  headHash: string;
  anchorId: number;
  anchorHash: string;
  /** In base64; `null` for a log without a row. */
  seal: string | null;
};

/**
 * Seals the log's ends as they stand under the current key, whoever sealed them before: only for a log whose key is lost,
 * and only where a row of it says so, with the ends that this resolves to. A `fault` is noted for ever.
 */
export const adoptChain = async (
  tx: Database,
  { box, fault: found }: { box: SecretBox; fault: string | null },
): Promise<FormerEnds> => {
  const { seal, headId, headHash, anchorId, anchorHash, fault: former } = await lockChain(tx);
  const texts = { headId, headHash: headHash.toHex(), anchorId, anchorHash: anchorHash.toHex() };
  if (seal === null) return { ...texts, seal: null };
  const fault = found === null ? former : `The log was found altered: ${found}`;
  const ends = { headId, headHash, anchorId, anchorHash, fault };
  await tx
    .update(activityChain)
    .set({ fault, seal: sealEnds(box, ends) })
    .where(eq(activityChain.id, 1));
  return { ...texts, seal: seal.toBase64() };
};

/** Under which keys the log's seal and the facts that wait for their number lie. */
export const countSealKeys = async (
  db: Database,
  box: Pick<SecretBox, "keyOf">,
): Promise<{ chain: KeyCounts; inbox: KeyCounts }> => {
  const rows = await db.execute<{ isChain: boolean; head: string; rows: number }>(sql`
    select is_chain as "isChain", encode(substring(sealed from 1 for 5), 'hex') as head, count(*)::int as rows
    from (
      select true as is_chain, seal as sealed from activity_chain where seal is not null
      union all select false, fact from activity_inbox
    ) sealed group by 1, 2`);
  const counts = { chain: none(), inbox: none() };
  for (const { isChain, head, rows: found } of rows) {
    const key = box.keyOf(Uint8Array.fromHex(head));
    counts[isChain ? "chain" : "inbox"][key] += found;
  }
  return counts;
};

const none = (): KeyCounts => ({ current: 0, previous: 0, unknown: 0 });
