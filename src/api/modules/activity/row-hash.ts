import type { ActivityDraft } from "./draft.ts";

/** A numbered row as its hash covers it; `atMs` is the time in the log, in milliseconds since 1970. */
export type HashedRow = Omit<ActivityDraft, "at"> & { id: number; atMs: number };

/** What stands before the first row of a log. */
export const noHash = new Uint8Array(32);

/**
 * The SHA-256 that chains a row to the one before it: over that one's hash and the row's values as a JSON array in this
 * order. The names behind the row's kind are covered too, so that nobody can change it by changing the dictionary.
 */
export const hashRow = (previous: Uint8Array, row: HashedRow): Uint8Array => {
  const text = JSON.stringify([
    row.id,
    row.atMs,
    row.pluginName,
    row.type,
    row.status,
    row.severity,
    row.actorKind,
    row.action,
    row.description,
    row.userId,
    row.userEmail,
    row.durationMs,
    row.occurrences,
    row.requestId,
    row.ip,
    row.userAgent,
    row.changes,
  ]);
  return new Uint8Array(new Bun.CryptoHasher("sha256").update(previous).update(text).digest().buffer);
};
