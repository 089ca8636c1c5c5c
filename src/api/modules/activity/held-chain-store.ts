import { eq, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain } from "#api/db/schema.ts";
import { type ChainEnds, isSealOf } from "./chain-seal.ts";

/** A row that a process remembers as the end of the log. */
export type KnownHead = { id: number; hash: Uint8Array };

/** The chain while its row is locked: nobody else appends to it or removes from it. */
export type HeldChain = ChainEnds & {
  headAtMs: number;
  /** Whether `fault` has only just been found. */
  isAltered: boolean;
};

/**
 * Locks the row of the chain until the transaction ends. Waits for three seconds at most, and ends the transaction of a
 * process that stands still with the lock.
 */
export const lockChain = async (tx: Database): Promise<typeof activityChain.$inferSelect> => {
  await tx.execute(sql`
    select set_config('lock_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`);
  const [row] = await tx.select().from(activityChain).where(eq(activityChain.id, 1)).for("update");
  if (!row) throw new Error("the activity log has lost its chain");
  return row;
};

/**
 * Locks the chain and looks whether it is as it was left: whoever goes on with it seals it anew, and must not seal what
 * somebody else has put there. What is found is noted in `fault`, which belongs to the seal and is never taken back.
 */
export const holdChain = async (
  tx: Database,
  { box, known }: { box: SecretBox; known: KnownHead | null },
): Promise<HeldChain> => {
  const { headAt, seal, ...ends } = await lockChain(tx);
  const [rows] = await tx.execute<{ newest: number | null; knownHash: string | null }>(sql`
    select (select max(id) from activities)::float8 as newest,
      (select encode(hash, 'hex') from activities where id = ${known?.id ?? 0}) as "knownHash"`);
  const newest = rows?.newest ?? 0;
  const isForgotten = known !== null && known.id > ends.anchorId && rows?.knownHash !== known.hash.toHex();
  const found = [
    isSealOf(box, seal, ends)
      ? []
      : [`its beginning ${ends.anchorId} and end ${ends.headId} were not sealed by Atrium`],
    newest > ends.headId ? [`activities up to ${newest} stood behind its end ${ends.headId}`] : [],
    isForgotten ? [`activity ${known.id} was not the one that had been recorded`] : [],
  ].flat();
  return {
    ...ends,
    headAtMs: headAt.getTime(),
    // What stands behind the end keeps its numbers: nothing is removed, and the proof names it.
    headId: Math.max(ends.headId, newest),
    fault: found.length === 0 ? ends.fault : `The log was found altered: ${found.join("; ")}`,
    isAltered: found.length > 0,
  };
};
