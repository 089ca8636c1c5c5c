import { eq, sql } from "drizzle-orm";
import type { SealKey, SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain } from "#api/db/schema.ts";
import { type HashedRow, holdChain, lockChain } from "./chain-store.ts";
import { sealEnds } from "./draft.ts";

/** A row that continues the chain: its number, and its hash in hexadecimal. */
export type RowMark = { id: number; hash: string };

/** A stored row with its stored hash; without names if its kind is unknown. */
type StoredRow = { row: HashedRow | null } & RowMark;

/** The recorded end and beginning of the log, and a batch of it, in one snapshot. */
export type ChainPiece = {
  head: RowMark;
  anchor: RowMark;
  /** A change that was found in the past. */
  fault: string | null;
  /** In hexadecimal. */
  seal: string | null;
  /** The row after which the batch begins and its stored hash, `null` if there is no such row. */
  start: number;
  startHash: string | null;
  rows: StoredRow[];
};

/** The next rows after a number, oldest first, and never the ones that were cleaned up; `null` without a chain. */
export const readPiece = async (
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<ChainPiece | null> => {
  const [piece] = await db.execute<PieceRow>(sql`
    select head_id::float8 as "headId", encode(head_hash, 'hex') as "headHash",
      anchor_id::float8 as "anchorId", encode(anchor_hash, 'hex') as "anchorHash",
      fault, encode(seal, 'hex') as seal, start::float8 as start, rows,
      case when start = anchor_id then encode(anchor_hash, 'hex')
        else (select encode(hash, 'hex') from activities where id = start) end as "startHash"
    from activity_chain
      cross join lateral (select least(head_id, greatest(anchor_id, ${after}::bigint)) as start) begun
      cross join lateral (
        select json_agg(json_build_array(stored.id, encode(hash, 'hex'),
          (extract(epoch from occurred_at) * 1000)::float8, plugin_name, type, status, severity, actor_kind, action,
          description, user_id, user_email, duration_ms, occurrences, request_id, ip, user_agent, changes)
          order by stored.id)::text as rows
        from (select * from activities where id > start order by id limit ${limit}) stored
          left join activity_kinds on activity_kinds.id = kind_id
      ) piece`);
  if (piece === undefined) return null;
  const { headId, headHash, anchorId, anchorHash, rows, ...rest } = piece;
  return {
    ...rest,
    head: { id: headId, hash: headHash },
    anchor: { id: anchorId, hash: anchorHash },
    rows: tuplesIn(rows).map(rowFrom),
  };
};

type PieceRow = Pick<ChainPiece, "fault" | "seal" | "start" | "startHash"> & {
  headId: number;
  headHash: string;
  anchorId: number;
  anchorHash: string;
  rows: string | null;
};

type Names = Pick<HashedRow, "pluginName" | "type" | "status" | "severity" | "actorKind">;

type RowTuple = [
  id: number,
  hash: string,
  atMs: number,
  // A kind has all of its names or, if the dictionary lacks it, none.
  pluginName: Names["pluginName"] | null,
  type: Names["type"],
  status: Names["status"],
  severity: Names["severity"],
  actorKind: Names["actorKind"],
  action: string,
  description: string,
  userId: string | null,
  userEmail: string | null,
  durationMs: number | null,
  occurrences: number,
  requestId: string | null,
  ip: string | null,
  userAgent: string | null,
  changes: string | null,
];

/** Safe because the query above builds exactly these. */
const tuplesIn = (text: string | null): RowTuple[] => JSON.parse(text ?? "[]") as RowTuple[];

const rowFrom = ([
  id,
  hash,
  atMs,
  pluginName,
  type,
  status,
  severity,
  actorKind,
  ...more
]: RowTuple): StoredRow => {
  if (pluginName === null) return { id, hash, row: null };
  const [action, description, userId, userEmail, durationMs, occurrences, requestId, ip, userAgent, changes] =
    more;
  const names = { pluginName, type, status, severity, actorKind };
  const source = { userId, userEmail, requestId, ip, userAgent };
  return {
    id,
    hash,
    row: { id, atMs, ...names, action, description, ...source, durationMs, occurrences, changes },
  };
};

/** The largest number at or below the log's beginning that still has a row, or `null`. */
export const findBelowAnchor = async (db: Database): Promise<number | null> => {
  const [row] = await db.execute<{ id: number | null }>(sql`
    select max(id)::float8 as id from activities where id <= (select anchor_id from activity_chain)`);
  return row?.id ?? null;
};

// Counting more takes longer than a statement should.
const countedRows = 100_000;

/**
 * Compares the counts: the length of the log with the sums over kinds and over days, each kind's newest row, and, in a
 * log of up to 100,000 rows, every count with the rows themselves.
 */
export const findWrongCount = async (db: Database): Promise<string | null> => {
  const [sums] = await db.execute<{ rows: number; isWrong: boolean; isLastWrong: boolean }>(sql`
    select (head_id - anchor_id)::float8 as rows,
      head_id - anchor_id <> (select coalesce(sum(rows), 0) from activity_kinds) or exists (
        select from activity_kinds full join (
          select kind_id, sum(rows) as rows from activity_days group by kind_id
        ) days on kind_id = id where coalesce(activity_kinds.rows, 0) <> coalesce(days.rows, 0)
      ) as "isWrong",
      exists (
        select from activity_kinds where rows > 0 and last_id is distinct from (
          select activities.id from activities where kind_id = activity_kinds.id order by activities.id desc limit 1
        )
      ) as "isLastWrong"
    from activity_chain`);
  if (sums === undefined || sums.isWrong)
    return "The counts of activities don't add up to the length of the log";
  if (sums.isLastWrong) return "The newest activity of a kind is not the one recorded for it";
  if (sums.rows > countedRows) return null;
  const different = await db.execute(sql`
    select from activity_days full join (
      select (occurred_at at time zone 'UTC')::date as day, kind_id, count(*) as n from activities group by 1, 2
    ) counted using (day, kind_id) where coalesce(rows, 0) <> coalesce(n, 0) limit 1`);
  return different.length === 0 ? null : "The number of activities on a day differs from its count";
};

/** How many values lie under which key. */
export type KeyCounts = Record<SealKey, number>;

/**
 * Seals the ends of the log with the current key, while no one else can move them, and only if the existing seal is
 * valid: with `altered` nothing changes, so that a manipulated log is never sealed as if Atrium had left it so. The
 * writer finds it with its next batch and records it permanently.
 */
export const resealChain = (db: Database, box: SecretBox): Promise<"resealed" | "kept" | "altered"> =>
  db.transaction(async (tx) => {
    const { seal } = await lockChain(tx);
    const { isAltered, ...ends } = await holdChain(tx, { box, known: null });
    if (isAltered) return "altered";
    // An empty log has no seal yet.
    if (seal === null || box.keyOf(seal) === "current") return "kept";
    await tx
      .update(activityChain)
      .set({ seal: sealEnds(box, ends) })
      .where(eq(activityChain.id, 1));
    return "resealed";
  });

/** Where a log ended when its key was lost, and its seal: with the old key it can still be verified. */
export type FormerEnds = {
  headId: number;
  headHash: string;
  anchorId: number;
  anchorHash: string;
  /** In base64; `null` for an empty log. */
  seal: string | null;
};

/**
 * Seals the ends of the log with the current key, regardless of the existing seal: only for a log whose key is lost,
 * and only if a row of the log says so, with the ends that this resolves to. A `fault` is recorded permanently.
 */
export const adoptChain = async (
  tx: Database,
  { box, fault: found }: { box: SecretBox; fault: string | null },
): Promise<FormerEnds> => {
  const { seal, headId, headHash, anchorId, anchorHash, fault: former } = await lockChain(tx);
  const texts = { headId, headHash: headHash.toHex(), anchorId, anchorHash: anchorHash.toHex() };
  if (seal === null) return { ...texts, seal: null };
  const fault = found === null ? former : `The log was altered: ${found}`;
  const ends = { headId, headHash, anchorId, anchorHash, fault };
  await tx
    .update(activityChain)
    .set({ fault, seal: sealEnds(box, ends) })
    .where(eq(activityChain.id, 1));
  return { ...texts, seal: seal.toBase64() };
};

/** The keys that the log's seal and the facts in the inbox are sealed with. */
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
