import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { DatabasePool } from "#api/core/database.ts";

/** The running embedded database, as a copy of it is made. */
export type RunningCluster = {
  /** The folder that the engine works in. */
  folder: string;
  /** All its connections share one session, which is what a backup belongs to. */
  db: DatabasePool;
  /** Lets a statement take minutes. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Ends a copy under way: the database is about to be closed. */
  signal: AbortSignal;
  /** Hears how far the log had come when the copy was complete: nothing behind that is in it. */
  onEnd?: (logPosition: string) => void;
};

/** A part of a cluster; `name` is relative to its folder, with slashes. `bytes` gives exactly `sizeBytes`, once. */
export type ClusterEntry =
  | { kind: "folder"; name: string }
  | { kind: "file"; name: string; sizeBytes: number; bytes(): AsyncIterable<Uint8Array> };

/**
 * A consistent copy of the running cluster, as PostgreSQL's online backup makes one: the files as
 * they are found, then the log of all that was written meanwhile. An opened copy has the state of the end.
 * Only the checkpoint at the beginning keeps others waiting. One at a time; no other checkpoint may happen meanwhile,
 * because the engine throws away the log before it.
 */
export async function* readCluster(cluster: RunningCluster): AsyncGenerator<ClusterEntry> {
  const { db, folder, patiently } = cluster;
  await patiently(() => db.execute(sql`select pg_backup_start('atrium', fast => true)`));
  let isOpen = true;
  try {
    for (const name of await namesIn(folder)) yield* entryOf(cluster, name);
    yield await controlFile(folder);
    const [end] = await patiently(() =>
      db.execute<{ label: string; last: string; after: string }>(sql`
        select labelfile as label, pg_walfile_name(lsn) as last, pg_current_wal_insert_lsn()::text as after
        from pg_backup_stop(wait_for_archive => false)`),
    );
    isOpen = false;
    if (end === undefined) throw new Error("the engine did not finish the backup");
    yield { kind: "folder", name: "pg_wal/archive_status" };
    yield { kind: "folder", name: "pg_wal/summaries" };
    const first = /\(file ([0-9A-F]{24})\)/.exec(end.label)?.[1] ?? "";
    const log = (await readdir(join(folder, "pg_wal"))).sort();
    for (const name of log)
      if (name.length === first.length && name >= first && name <= end.last)
        yield* entryOf(cluster, `pg_wal/${name}`);
    if (!log.includes(first) || !log.includes(end.last))
      throw new Error("part of the log disappeared while the database was copied");
    yield fileOf("backup_label", Buffer.from(end.label));
    cluster.onEnd?.(end.after);
  } finally {
    // Without it the engine would refuse the next one. If it is gone, so is its backup.
    if (isOpen) await db.execute(sql`select pg_backup_stop(wait_for_archive => false)`).catch(() => {});
  }
}

/** Names below `folder` that belong into a copy, each folder before what is in it. */
const namesIn = async (folder: string, below = ""): Promise<string[]> => {
  const names: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (leftOut.test(name)) continue;
    if (!entry.isDirectory()) names.push(name);
    else names.push(`${name}/`, ...(emptied.has(name) ? [] : await namesIn(folder, name)));
  }
  return names;
};

// What PostgreSQL's own pg_basebackup leaves out or leaves empty: state of the running process, and caches.
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_stat_tmp",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_subtrans",
]);
const controlName = "global/pg_control";
const leftOut =
  /(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*|postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map|backup_manifest|postgresql\.auto\.conf\.tmp)(?:\/|$)|^global\/pg_control$/;

async function* entryOf({ folder, signal }: RunningCluster, name: string): AsyncGenerator<ClusterEntry> {
  signal.throwIfAborted();
  if (name.endsWith("/")) return yield { kind: "folder", name: name.slice(0, -1) };
  const file = await open(join(folder, name), "r").catch(absent);
  // A table that was dropped meanwhile; the log says so too.
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield { kind: "file", name, sizeBytes: size, bytes: () => chunksOf(file, size, signal) };
  } finally {
    await file.close();
  }
}

const absent = (error: unknown): null => {
  if (Reflect.get(Object(error), "code") === "ENOENT") return null;
  throw error;
};

/** The first `size` bytes of the file; zeros for what was cut off meanwhile, which the log puts right. */
async function* chunksOf(file: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(Math.min(chunkBytes, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    yield bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
    at += bytesRead === 0 ? chunk.length : bytesRead;
  }
}

const chunkBytes = 256 * 1024;

/** Comes last, and whole: the engine may be writing it at the very moment. */
const controlFile = async (folder: string): Promise<ClusterEntry> => {
  const path = join(folder, controlName);
  for (let before = await readFile(path); ; ) {
    await sleep(1);
    const bytes = await readFile(path);
    if (bytes.equals(before)) return fileOf(controlName, bytes);
    before = bytes;
  }
};

const fileOf = (name: string, bytes: Uint8Array): ClusterEntry => ({
  kind: "file",
  name,
  sizeBytes: bytes.length,
  bytes: async function* () {
    yield bytes;
  },
});
