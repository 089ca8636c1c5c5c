import { eq, inArray, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { activityChain, activityInbox, activityKinds } from "#api/db/schema.ts";
import { type ActivityDraft, type ChainEnds, draftOf, isSealOf, readDraft, sealEnds } from "./draft.ts";

/** What a batch added to the log; `newKinds` are valid once its transaction is committed. */
type AppendedBatch = {
  head: KnownHead;
  /** What was just found to be changed outside of Atrium. */
  fault: string | null;
  rows: number;
  fromInbox: number;
  newKinds: Map<string, number>;
};

type BatchInput = {
  notes: ActivityDraft[];
  /** Maximum number of facts to take from the inbox. */
  mostFromInbox: number;
  now: Date;
  box: SecretBox;
  /** The end of the log as this process last left it. */
  known: KnownHead | null;
  /** The kinds that are in the database, by key. */
  kinds: ReadonlyMap<string, number>;
};

/** Stores a sealed draft in the caller's transaction; a batch moves it to the log. */
export const insertIntoInbox = async (tx: Database, fact: Uint8Array): Promise<void> => {
  await tx.insert(activityInbox).values({ fact });
};

/** The id of the oldest fact in the inbox; `null` if it is empty. */
export const firstInInbox = async (db: Database): Promise<number | null> => {
  const [row] = await db.execute<{ id: number | null }>(
    sql`select min(id)::float8 as id from activity_inbox`,
  );
  return row?.id ?? null;
};

/** Number of facts in the inbox; 10,000 means that or more. */
export const countInbox = async (db: Database): Promise<number> => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select 1 from activity_inbox limit 10000) waiting`,
  );
  return row?.count ?? 0;
};

/**
 * Appends the inbox and the given drafts: assigns numbers, times and hashes, counts, and moves the head. Needs its own
 * transaction; only the lock on the chain decides what it changes.
 */
export const appendBatch = async (
  tx: Database,
  { notes, mostFromInbox, now, box, kinds, known }: BatchInput,
): Promise<AppendedBatch> => {
  const chain = await holdChain(tx, { box, known });
  const inbox = await tx.select().from(activityInbox).orderBy(activityInbox.id).limit(mostFromInbox);
  const drafts = inOrder(
    inbox.map(({ fact }) => readDraft(fact, { box, now })),
    chain.isAltered ? [alterationDraft(chain, now), ...notes] : notes,
  );
  const newKinds = new Map<string, number>();
  const fault = chain.isAltered ? chain.fault : null;
  if (drafts.length === 0)
    return { head: { id: chain.headId, hash: chain.headHash }, fault, rows: 0, fromInbox: 0, newKinds };
  await addKinds(tx, { drafts, kinds, newKinds });
  const kindOf = (draft: ActivityDraft): number => {
    const key = kindKey(draft);
    const id = kinds.get(key) ?? newKinds.get(key);
    if (id === undefined) throw new Error("an activity's kind has no number");
    return id;
  };
  let { headId, headHash, headAtMs } = chain;
  const rows: StoredRow[] = [];
  for (const { at, ...draft } of drafts) {
    headId += 1;
    headAtMs = recordedAtMs(headAtMs, Date.parse(at), now.getTime());
    const row: HashedRow = { ...draft, id: headId, atMs: headAtMs };
    headHash = hashRow(headHash, row);
    rows.push(storedRow(row, kindOf({ at, ...draft }), headHash));
  }
  const { anchorId, anchorHash } = chain;
  const ends = { headId, headHash, anchorId, anchorHash, fault: chain.fault };
  await insertRows(tx, rows);
  await countRows(tx, rows);
  await tx
    .update(activityChain)
    .set({ ...ends, headAt: new Date(headAtMs), seal: sealEnds(box, ends) })
    .where(eq(activityChain.id, 1));
  if (inbox.length > 0) {
    const taken = inbox.map(({ id }) => id);
    await tx.delete(activityInbox).where(inArray(activityInbox.id, taken));
  }
  await mergePending(tx);
  return {
    head: { id: headId, hash: headHash },
    fault,
    rows: rows.length,
    fromInbox: inbox.length,
    newKinds,
  };
};

const alterationDraft = ({ fault }: HeldChain, at: Date): ActivityDraft =>
  draftOf({
    entry: {
      type: "signature_failed",
      action: "Found the activity log altered",
      description: fault ?? "",
      status: "failure",
      severity: "critical",
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at,
  });

/** A row by column names, as the database reads it from JSON. */
type StoredRow = Record<string, string | number | null> & { id: number; kind_id: number; day: string };

const storedRow = (row: HashedRow, kindId: number, hash: Uint8Array): StoredRow => {
  const at = new Date(row.atMs).toISOString();
  return {
    id: row.id,
    kind_id: kindId,
    occurred_at: at,
    day: at.slice(0, 10),
    action: row.action,
    description: row.description,
    user_id: row.userId,
    user_email: row.userEmail,
    duration_ms: row.durationMs,
    occurrences: row.occurrences,
    request_id: row.requestId,
    ip: row.ip,
    user_agent: row.userAgent,
    changes: row.changes,
    hash: hash.toHex(),
  };
};

// One parameter for the whole batch: with one per value, the statement would be parsed for each batch size.
const insertRows = async (tx: Database, rows: StoredRow[]): Promise<void> => {
  await tx.execute(sql`
    insert into activities (id, kind_id, occurred_at, action, description, user_id, user_email, duration_ms,
      occurrences, request_id, ip, user_agent, changes, hash)
    select id, kind_id, occurred_at, action, description, user_id, user_email, duration_ms,
      occurrences, request_id, ip, user_agent, changes, decode(hash, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (id bigint, kind_id integer, occurred_at timestamptz,
      action text, description text, user_id uuid, user_email text, duration_ms integer, occurrences integer,
      request_id text, ip text, user_agent text, changes text, hash text)`);
};

const countRows = async (tx: Database, rows: StoredRow[]): Promise<void> => {
  const counts = new Map<string, { day: string; kind_id: number; rows: number; last_id: number }>();
  for (const { id, day, kind_id } of rows) {
    const key = `${day} ${kind_id}`;
    const rowsBefore = counts.get(key)?.rows ?? 0;
    counts.set(key, { day, kind_id, rows: rowsBefore + 1, last_id: id });
  }
  const counted = JSON.stringify([...counts.values()]);
  await tx.execute(sql`
    with counted as (
      select * from json_to_recordset(${counted}::json) as count (day date, kind_id integer, rows integer, last_id bigint)
    ), days as (
      insert into activity_days (day, kind_id, rows) select day, kind_id, rows from counted
      on conflict (day, kind_id) do update set rows = activity_days.rows + excluded.rows
    )
    update activity_kinds set rows = activity_kinds.rows + sums.rows, last_id = sums.last_id
    from (select kind_id, sum(rows) as rows, max(last_id) as last_id from counted group by kind_id) as sums
    where id = sums.kind_id`);
};

// Merges the batch into the index in one go, five times as fast as row by row; otherwise each search would read the
// pending list for every block.
const mergePending = async (tx: Database): Promise<void> => {
  await tx.execute(sql`select gin_clean_pending_list('activities_search')`);
};

type KindsInput = Pick<BatchInput, "kinds"> & { drafts: ActivityDraft[]; newKinds: Map<string, number> };

/** Assigns ids to unknown kinds; the lock on the chain prevents others from doing the same. */
const addKinds = async (tx: Database, { drafts, kinds, newKinds }: KindsInput): Promise<void> => {
  const missing = new Map<string, ActivityDraft>();
  for (const draft of drafts) {
    const key = kindKey(draft);
    if (!kinds.has(key)) missing.set(key, draft);
  }
  if (missing.size === 0) return;
  // Another replica may have added some.
  const present = await tx.select().from(activityKinds);
  let last = 0;
  for (const kind of present) {
    newKinds.set(kindKey(kind), kind.id);
    last = Math.max(last, kind.id);
  }
  const added: (typeof activityKinds.$inferInsert)[] = [];
  for (const [key, { pluginName, type, status, severity, actorKind }] of missing) {
    if (newKinds.has(key)) continue;
    last += 1;
    newKinds.set(key, last);
    added.push({ id: last, pluginName, type, status, severity, actorKind });
  }
  if (added.length > 0) await tx.insert(activityKinds).values(added);
};

type KindNames = Pick<ActivityDraft, "pluginName" | "type" | "status" | "severity" | "actorKind">;

const kindKey = ({ pluginName, type, status, severity, actorKind }: KindNames): string =>
  `${type} ${status} ${severity} ${actorKind} ${pluginName}`;

/** The row that a process remembers as the end of the log. */
export type KnownHead = { id: number; hash: Uint8Array };

/** The chain while its row is locked, so that no one else appends or removes. */
type HeldChain = ChainEnds & {
  headAtMs: number;
  /** Whether `fault` was just found. */
  isAltered: boolean;
};

/**
 * Locks the row of the chain until the transaction ends. Waits at most three seconds, and ends the transaction of a
 * process that hangs while holding the lock.
 */
export const lockChain = async (tx: Database): Promise<typeof activityChain.$inferSelect> => {
  await tx.execute(sql`
    select set_config('lock_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`);
  const [row] = await tx.select().from(activityChain).where(eq(activityChain.id, 1)).for("update");
  if (!row) throw new Error("the activity log has lost its chain");
  return row;
};

/**
 * Locks the chain and checks that it is as it was left: the next batch seals it again and must not seal what someone
 * else has written. What is found is recorded in `fault`, which is part of the seal and is never cleared.
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
      : [`its beginning ${ends.anchorId} and end ${ends.headId} do not have Atrium's seal`],
    newest > ends.headId ? [`activities up to ${newest} were stored after its end ${ends.headId}`] : [],
    isForgotten ? [`activity ${known.id} differed from the one that was recorded`] : [],
  ].flat();
  return {
    ...ends,
    headAtMs: headAt.getTime(),
    // Rows after the end keep their numbers: nothing is removed, and verification reports them.
    headId: Math.max(ends.headId, newest),
    fault: found.length === 0 ? ends.fault : `The log was altered: ${found.join("; ")}`,
    isAltered: found.length > 0,
  };
};

/** A numbered row as its hash covers it; `atMs` is its time in the log, in milliseconds since 1970. */
export type HashedRow = Omit<ActivityDraft, "at"> & { id: number; atMs: number };

/** The hash before the first row of a log. */
export const noHash = new Uint8Array(32);

/**
 * The SHA-256 that chains a row to the one before it: over that one's hash and the row's values, as a JSON array in
 * this order. The names of the row's kind are included, so that changing the dictionary is noticed.
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

/**
 * One order for a batch: facts of the inbox stay in the order in which they came, and each draft is before the first of
 * them that happened later.
 */
export const inOrder = (inbox: ActivityDraft[], notes: ActivityDraft[]): ActivityDraft[] => {
  const ordered: ActivityDraft[] = [];
  let next = 0;
  for (const fact of inbox) {
    for (let note = notes[next]; note !== undefined && note.at < fact.at; note = notes[next]) {
      ordered.push(note);
      next += 1;
    }
    ordered.push(fact);
  }
  return [...ordered, ...notes.slice(next)];
};

const wrongClockMs = 5 * 60_000;

/**
 * The time of a row: when it happened, but never before the previous row and never after `nowMs`. Only if the previous
 * row is minutes in the future, because of a wrong clock, time starts over.
 */
export const recordedAtMs = (previousMs: number, happenedMs: number, nowMs: number): number => {
  const latest = Math.min(happenedMs, nowMs);
  return previousMs > nowMs + wrongClockMs ? latest : Math.max(previousMs, latest);
};
