import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { sql } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { seedName, seedOutput } from "#api/db/bundled-files.ts";
import { migrate } from "#api/db/migrate.ts";
import { listNames, readApplied } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { tarBlockBytes, tarHeader } from "#api/db/snapshots/restore-snapshot.ts";

/**
 * Makes the database cluster that an embedded database starts from: migrated, small and at rest. To unpack it takes a
 * tenth of the time that making one takes. The same migrations make the same bytes.
 */
export const buildSeed = async (): Promise<void> => {
  // Without the former one, which the database would start from.
  await rm(seedOutput, { recursive: true, force: true });
  const dataDir = await mkdtemp(join(tmpdir(), "atrium-seed-"));
  try {
    await makeCluster(dataDir);
    const tar = await packFolder(join(dataDir, "database"));
    await mkdir(seedOutput, { recursive: true });
    // Under another name until it is whole: a server may be starting.
    const part = join(seedOutput, `${seedName}.part`);
    await Bun.write(part, await Bun.zstdCompress(tar, { level: 19 }));
    await rename(part, join(seedOutput, seedName));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

const makeCluster = async (dataDir: string): Promise<void> => {
  const database = await openDatabase({ databaseUrl: null, dataDir, log, clock: systemClock });
  try {
    await database.exclusively((db) => db.execute(sql`create extension if not exists pg_trgm`));
    await migrate(database);
    await database.exclusively(async (db) => {
      // Each installation notes its own time on its first start.
      for (const owner of ["product", "own"] as const)
        if ((await readApplied(db, owner)).length > 0)
          await db.execute(sql`update drizzle.${sql.identifier(listNames[owner])} set applied_at = null`);
      // Nothing ever makes a second database, and the templates for one are two thirds of the files.
      await db.execute(sql`update pg_database set datistemplate = false where datname like 'template_'`);
      await db.execute(sql`drop database template0`);
      await db.execute(sql`drop database template1`);
      await db.execute(sql`vacuum (full, analyze)`);
      await db.execute(sql`checkpoint`);
    });
  } finally {
    await database.close();
  }
};

/** A tar of everything below `folder`; a name with a slash at its end is a folder, and empty ones count. */
const packFolder = async (folder: string): Promise<Uint8Array> => {
  const contents: ClusterFiles = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isDirectory()) contents[`${name}/`] = new Uint8Array();
    else if (name !== "postmaster.pid") contents[name] = await Bun.file(path).bytes();
  }
  return tarOf(sealCluster(contents));
};

/** Without times, which would be those of the build. */
const tarOf = (files: ClusterFiles): Uint8Array =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, content]) => [
      tarHeader(name, content.length),
      content,
      new Uint8Array(-content.length & (tarBlockBytes - 1)),
    ]),
    new Uint8Array(2 * tarBlockBytes),
  ]);

const quiet = (): void => {};
const log: Log = { debug: quiet, info: quiet, warn: console.error, error: console.error, flush: quiet };

/** The files of a cluster by their paths below its folder; folders end with a slash. */
export type ClusterFiles = Record<string, Uint8Array>;

/**
 * A cluster that was shut down, without what chance and the clock put into it: its number, its nonce, the time of its last
 * checkpoint, and its log, of which nothing is needed any more but that checkpoint. The same data make the same bytes then.
 * Throws for another version's control file. Layouts: PostgreSQL 18's `pg_control.h`, `xlog_internal.h`, `xlogrecord.h`;
 * the log is renewed as `pg_resetwal` does it.
 */
export const sealCluster = (files: ClusterFiles): ClusterFiles => {
  const rest = Object.entries(files)
    .filter(([path]) => path !== controlPath && !isLog(path))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const digest = digestOf(rest);
  const control = fileOf(files, controlPath).slice();
  const view = viewOf(control);
  const crcAt = findCrc(control);
  if (view.getUint32(8, true) !== controlVersion || view.getUint32(16, true) !== shutDown)
    throw new Error("the cluster is of another version, or was not shut down");

  const timeline = view.getUint32(48, true);
  const old = readCheckpoint(files, { timeline, at: view.getBigUint64(32, true) });
  const start = (old.segment + 1n) * BigInt(old.header.getUint32(32, true));
  const at = start + BigInt(headerBytes);

  control.set(digest.subarray(0, 8), 0);
  view.setBigInt64(24, sealedAt, true);
  view.setBigUint64(32, at, true);
  const checkpoint = old.checkpoint;
  viewOf(checkpoint).setBigUint64(0, at, true);
  viewOf(checkpoint).setBigInt64(64, sealedAt, true);
  control.set(checkpoint, 40);
  control.set(digest, crcAt - nonceBeforeCrc);
  view.setUint32(crcAt, crc32c(control.subarray(0, crcAt)), true);

  const log = newLog({ ...old, checkpoint, start, number: digest.subarray(0, 8) });
  const logPath = pathOf({ timeline, segment: old.segment + 1n, size: log.length });
  return Object.fromEntries([...rest, [controlPath, control], [logPath, log]]);
};

const controlPath = "global/pg_control";
const controlVersion = 1800;
const shutDown = 1;
/** The first second of 2000, PostgreSQL's own epoch. */
const sealedAt = 946_684_800n;
/** 32 bytes and three that fill up. */
const nonceBeforeCrc = 35;
/** Of a segment's first page, and of a record. */
const headerBytes = 40;
const recordBytes = 24;

const isLog = (path: string): boolean => /^pg_wal\/[0-9A-F]{24}$/.test(path);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

const fileOf = (files: ClusterFiles, path: string): Uint8Array => {
  const file = files[path];
  if (file === undefined) throw new Error(`the cluster has no ${path}`);
  return file;
};

const digestOf = (files: readonly (readonly [string, Uint8Array])[]): Uint8Array => {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const [path, bytes] of files) hasher.update(`${path}\0${bytes.length}\0`).update(bytes);
  return new Uint8Array(hasher.digest());
};

/** Where the control file's checksum is: behind everything that it covers. */
const findCrc = (control: Uint8Array): number => {
  for (let at = 200; at < 512; at += 4)
    if (viewOf(control).getUint32(at, true) === crc32c(control.subarray(0, at))) return at;
  throw new Error("the cluster's control file has no checksum");
};

type Checkpoint = { segment: bigint; header: DataView; checkpoint: Uint8Array; prefix: Uint8Array };

/** The last checkpoint's record, and the head of the segment that it is in. */
const readCheckpoint = (files: ClusterFiles, where: { timeline: number; at: bigint }): Checkpoint => {
  const { timeline, at } = where;
  const size = Object.entries(files).find(([path]) => isLog(path))?.[1].length ?? 0;
  const segment = at / BigInt(size || 1);
  const bytes = fileOf(files, pathOf({ timeline, segment, size }));
  const record = Number(at % BigInt(size));
  const length = viewOf(bytes).getUint32(record, true);
  const data = record + recordBytes + 2;
  return {
    segment,
    header: viewOf(bytes.subarray(0, headerBytes)),
    prefix: bytes.slice(record, data),
    checkpoint: bytes.slice(data, record + length),
  };
};

/** A segment with nothing in it but the checkpoint. */
const newLog = (from: Checkpoint & { start: bigint; number: Uint8Array }): Uint8Array => {
  const { header, prefix, checkpoint, start, number } = from;
  const log = new Uint8Array(header.getUint32(32, true));
  const view = viewOf(log);
  log.set(new Uint8Array(header.buffer, header.byteOffset, headerBytes));
  // A long header and nothing else, nothing left over of a record before it.
  view.setUint16(2, 2, true);
  view.setBigUint64(8, start, true);
  view.setUint32(16, 0, true);
  log.set(number, 24);
  const record = log.subarray(headerBytes, headerBytes + prefix.length + checkpoint.length);
  record.set(prefix);
  record.set(checkpoint, prefix.length);
  // No record before it.
  viewOf(record).setBigUint64(8, 0n, true);
  const crc = crc32c(record.subarray(0, 20), crc32c(record.subarray(recordBytes)));
  viewOf(record).setUint32(20, crc, true);
  return log;
};

const pathOf = (file: { timeline: number; segment: bigint; size: number }): string => {
  const perId = 0x1_0000_0000n / BigInt(file.size);
  const parts = [BigInt(file.timeline), file.segment / perId, file.segment % perId];
  return `pg_wal/${parts.map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("")}`;
};

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** The Castagnoli checksum, 32 bits, of `bytes`, behind those that `before` is the checksum of. Source: RFC 3720, B.4. */
export const crc32c = (bytes: Uint8Array, before = 0): number => {
  let crc = ~before;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
};
