import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { firstInInbox, hashRow, noHash } from "./chain-store.ts";
import type { Verified, VerifyInput } from "./contract.ts";
import { isSealOf } from "./draft.ts";
import { selectCleanUps } from "./store.ts";
import { type ChainPiece, findBelowAnchor, findWrongCount, type RowMark, readPiece } from "./verify-store.ts";

// As much as is hashed in a few milliseconds, so that other requests run in between.
const pieceRows = 1_000;

/** What verification needs from the context. */
type VerifyContext = Pick<Context, "actor" | "db" | "activity" | "secrets">;

/**
 * Verifies `limit` rows after `after` from the stored data; at the end of the log, also that end, the beginning and the
 * counts. Reports the first fault instead of throwing. For admins and the operator.
 */
export const verifyActivity = async (
  ctx: VerifyContext,
  { after, limit }: VerifyInput,
): Promise<Verified> => {
  requireAdmin(ctx);
  const waiting = await firstInInbox(ctx.db);
  await ctx.activity.settle();
  let checked = 0;
  let end = after;
  for (;;) {
    const wanted = Math.min(pieceRows, limit - checked);
    // One more, so that rows after the end of the log are noticed.
    const piece = await readPiece(ctx.db, { after: end, limit: wanted + 1 });
    if (piece === null) return lost;
    const proven = checkChain({ ...piece, rows: piece.rows.slice(0, wanted) });
    checked += proven.checked;
    const answer = {
      checked,
      through: proven.end.id,
      throughHash: proven.end.hash,
      head: piece.head,
      anchor: piece.anchor,
    };
    if (proven.fault !== null) return { ...answer, isComplete: false, fault: proven.fault };
    if (piece.rows.length <= wanted)
      return {
        ...answer,
        isComplete: true,
        fault: await faultAtEnds(ctx, piece, { end: proven.end, waiting }),
      };
    if (checked >= limit) return { ...answer, isComplete: false, fault: null };
    end = proven.end.id;
  }
};

const lost: Verified = {
  checked: 0,
  through: 0,
  throughHash: "",
  isComplete: true,
  head: { id: 0, hash: "" },
  anchor: { id: 0, hash: "" },
  fault: { id: 0, problem: "The record of the log's beginning and end is missing" },
};

type Ends = {
  end: RowMark;
  /** The oldest fact in the inbox before everything was to be appended. */
  waiting: number | null;
};

const faultAtEnds = async (
  ctx: VerifyContext,
  piece: ChainPiece,
  { end, waiting }: Ends,
): Promise<Fault | null> =>
  faultOfHead(ctx, piece, end) ??
  (await faultOfAnchor(ctx, piece.anchor)) ??
  (await faultOfCounts(ctx, piece.head)) ??
  (await faultOfInbox(ctx, piece.head, waiting));

const faultOfInbox = async (
  { db }: VerifyContext,
  head: RowMark,
  waiting: number | null,
): Promise<Fault | null> =>
  waiting !== null && (await firstInInbox(db)) === waiting
    ? { id: head.id, problem: "The latest records are waiting and can't be appended to the log" }
    : null;

const faultOfHead = (
  { secrets }: VerifyContext,
  { head, anchor, fault, seal }: ChainPiece,
  end: RowMark,
): Fault | null => {
  if (end.id < head.id) return missing(end.id + 1);
  if (end.hash !== head.hash)
    return { id: head.id, problem: `Activity ${head.id} is not the one recorded as the end of the log` };
  const ends = {
    headId: head.id,
    headHash: Uint8Array.fromHex(head.hash),
    anchorId: anchor.id,
    anchorHash: Uint8Array.fromHex(anchor.hash),
    fault,
  };
  const isOurs = isSealOf(secrets, seal === null ? null : Uint8Array.fromHex(seal), ends);
  if (isOurs) return fault === null ? null : { id: head.id, problem: fault };
  return {
    id: head.id,
    problem:
      "The seal on the log's beginning and end is not from this installation: one of them was moved or " +
      "rewritten",
  };
};

const faultOfAnchor = async ({ db }: VerifyContext, { id, hash }: RowMark): Promise<Fault | null> => {
  const unremoved = await findBelowAnchor(db);
  if (unremoved !== null)
    return { id: unremoved, problem: `Activity ${unremoved} is before the beginning of the log` };
  if (id === 0)
    return hash === noHash.toHex() ? null : { id: 0, problem: "The beginning of the log is not empty" };
  const reaching = (await selectCleanUps(db)).filter(({ through }) => through >= id);
  if (reaching.length === 0)
    return { id, problem: `The activities up to ${id} were removed, but no cleanup of them is recorded` };
  if (reaching.some(({ through, digest }) => through === id && digest !== hash))
    return { id, problem: `Activity ${id}, the last one removed, is not the one that the cleanup recorded` };
  return null;
};

const faultOfCounts = async ({ db }: VerifyContext, head: RowMark): Promise<Fault | null> => {
  const problem = await findWrongCount(db);
  return problem === null ? null : { id: head.id, problem };
};

/** What is wrong with the log, and the number of the activity where it shows. */
type Fault = { id: number; problem: string };

/** How far a batch of the log was verified, and the fault that ended it early. */
type CheckedPiece = { checked: number; end: RowMark; fault: Fault | null };

/**
 * Follows the chain from the start of the batch: every number exists once, and every row has the hash that follows from
 * it and the row before.
 */
const checkChain = ({ start, startHash, rows, head }: ChainPiece): CheckedPiece => {
  if (startHash === null) return { checked: 0, end: { id: start, hash: "" }, fault: missing(start) };
  let end: RowMark = { id: start, hash: startHash };
  let checked = 0;
  for (const { id, hash, row } of rows) {
    if (id > head.id && end.id === head.id) return { checked, end, fault: behindEnd(id) };
    if (id !== end.id + 1) return { checked, end, fault: missing(end.id + 1) };
    if (row === null)
      return { checked, end, fault: { id, problem: `The kind of activity ${id} is unknown` } };
    if (hashRow(Uint8Array.fromHex(end.hash), row).toHex() !== hash)
      return { checked, end, fault: altered(id) };
    end = { id, hash };
    checked += 1;
  }
  return { checked, end, fault: null };
};

/** The fault of a missing activity. */
const missing = (id: number): Fault => ({ id, problem: `Activity ${id} is missing` });

const altered = (id: number): Fault => ({
  id,
  problem: `Activity ${id} was altered, or does not follow from the one before it`,
});

const behindEnd = (id: number): Fault => ({
  id,
  problem: `Activity ${id} is after the end of the log: it was not recorded by Atrium`,
});
