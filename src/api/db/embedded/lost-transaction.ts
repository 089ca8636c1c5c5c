import type { Unit } from "./unit-reader.ts";
import { errorResponse, fromClient, messagesIn, readyForQuery, sqlOf, txStatus } from "./wire-protocol.ts";

/** What a client hears, and whether it has thereby left the transaction. `bytes` is `null` when the engine answers. */
export type LostTransactionAnswer = { bytes: Buffer | null; isEnded: boolean };

/**
 * Answers a client whose transaction was ended while it was idle, as if the transaction had failed: each statement is
 * refused with the reason until the client ends the transaction. Nothing of it may reach the engine, where it would
 * run, and be committed, alone.
 */
export const answerWithoutTransaction = (unit: Unit): LostTransactionAnswer => {
  const statements = [...messagesIn(unit.bytes)].filter(hasSql).map(sqlOf);
  if (unit.isUnfinished) return { bytes: reason, isEnded: false };
  if (statements.some((sql) => /^\s*(?:rollback(?!\s+to\b)|abort)\b/i.test(sql))) {
    return { bytes: null, isEnded: true };
  }
  if (statements.some((sql) => /^\s*(?:commit|end)\b/i.test(sql))) {
    return { bytes: Buffer.concat([reason, readyForQuery(txStatus.idle)]), isEnded: true };
  }
  const failed = readyForQuery(txStatus.failed);
  // A Sync alone follows a Flush that has been answered already.
  const isSync = unit.bytes[0] === fromClient.sync;
  return { bytes: isSync ? failed : Buffer.concat([reason, failed]), isEnded: false };
};

const hasSql = (frame: Buffer): boolean => frame[0] === fromClient.query || frame[0] === fromClient.parse;

/** `idle_in_transaction_session_timeout`, PostgreSQL's own code for this. */
const reason = errorResponse(
  "ERROR",
  "25P03",
  "the transaction was ended because it did nothing for too long; inside a transaction, only the transaction may be used",
);
