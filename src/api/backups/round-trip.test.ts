import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { type Config, readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import { silentEvents } from "#api/core/events.ts";
import { checkKey } from "#api/db/key-check.ts";
import { migrate } from "#api/db/migrate.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { withoutTriggers } from "#api/db/transfer/load-tables.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import { noSchedule } from "#api/modules/backups/schedule.ts";
import { writeLastBackup, writeSchedule } from "#api/modules/backups/store.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { factAt } from "#api/testing/fill-activity.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import type { Keys, Lock } from "./archive/age.ts";
import { openArchive } from "./archive/read-archive.ts";
import { makeBackup } from "./dump.ts";
import { type RestoreReport, restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";

const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";
const box = createSecretBox(new TextEncoder().encode(secret));
const canary = "plain-canary-of-a-secret";

/** How many rows that backup said that it holds while it was made. */
let told = 0;
const folders: { path: string; remove(): void }[] = [];
const newFolder = (): string => {
  const folder = makeDataFolder();
  folders.push(folder);
  return folder.path;
};

const source = await handleForFile();
const { db } = source.handle;
await migrate(source.handle);
await checkKey(db, box);
await db.execute(sql`
  insert into users (id, name, email, email_key) select gen_random_uuid(), 'Person ' || n, n || '@example.test', n || '@example.test'
  from generate_series(1, 500) n`);
await db.execute(sql`
  insert into sessions (token_hash, id, user_id, ip, last_used_at, expires_at)
  select 'hash', gen_random_uuid(), id, '127.0.0.1', now(), now() + interval '1 day' from users limit 1`);
const sealed = box.seal(
  "settings",
  "setting_secrets:sealed:redis.password",
  new TextEncoder().encode(canary),
);
await db.execute(sql`
  insert into setting_secrets (name, sealed, updated_at)
  values ('redis.password', decode(${sealed.toHex()}, 'hex'), now())`);
await db.execute(sql`
  insert into stored_objects (key, version, bucket, size_bytes, digest, content_type, created_at)
  values ('packages/a.zip', '0198a000-0000-7000-8000-00000000000a', 'https://bucket.example.test/b', 5,
    '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', 'application/zip', now())`);
// Enough that cannot be compressed for the archive to come in several pieces.
await db.execute(sql`
  insert into stored_object_parts (version, part, content)
  select '0198a000-0000-7000-8000-00000000000b', 0, string_agg(sha256(n::text::bytea), ''::bytea) from generate_series(1, 20000) n`);
const { recorder } = createActivityWriter({
  ...{ db, clock: systemClock, log: source.log, box },
  events: silentEvents,
});
await db.transaction((tx) => recorder.record(tx, factAt(new Date(), { action: "Did something" })));
await recorder.settle();
await writeLastBackup(db, { at: new Date().toISOString(), name: "a", place: "folder", sizeBytes: 7 });
await writeSchedule(db, { ...noSchedule, isEnabled: true, place: "storage" }, new Date());

afterAll(() => {
  for (const folder of folders) folder.remove();
});

const objects = {
  get: async (key: string) => (key === "packages/a.zip" ? new TextEncoder().encode("hello") : null),
};

/** With the key when there is a lock. */
const backup = async ({
  lock = null,
  onRows = () => {},
}: {
  lock?: Lock | null;
  onRows?: (rows: number) => void;
} = {}): Promise<Uint8Array> =>
  makeBackup(
    {
      handle: source.handle,
      objects,
      clock: systemClock,
      log: createRecordingLog(),
      scratch: join(newFolder(), "backup.part"),
      key: lock === null ? null : secret,
      lock,
      onProgress: ({ rows }) => onRows(rows),
    },
    async (bytes) => Buffer.concat(await Array.fromAsync(bytes)),
  );
const plain = await backup({ onRows: (rows) => (told = rows) });

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const noKeys: Keys = { passphrase: null, identities: [] };
const openBackup = async (bytes: Uint8Array, keys = noKeys) => openArchive(oneChunk(bytes), keys);

const configIn = (dataDir: string, env: Record<string, string> = {}): Config =>
  readConfig({ DATA_DIR: dataDir, ...env }, false);

const restore = async (
  bytes: Uint8Array,
  config: Config,
  how: { keys?: Keys; isDroppingSecrets?: boolean } = {},
) =>
  restoreBackup({
    config,
    log: createRecordingLog(),
    clock: systemClock,
    archive: await openBackup(bytes, how.keys),
    isDroppingSecrets: how.isDroppingSecrets ?? false,
    onProgress: () => {},
    beforeReplacing: async () => null,
  });

const inDatabase = async <T>(dataDir: string, query: string): Promise<T[]> => {
  const handle = await openDatabase({
    databaseUrl: null,
    dataDir,
    log: createRecordingLog(),
    clock: systemClock,
  });
  try {
    const rows = await handle.db.execute(sql.raw(query));
    return JSON.parse(JSON.stringify(rows));
  } finally {
    await handle.close();
  }
};

const verify = async (bytes: Uint8Array) => {
  const roomIn = newFolder();
  const report = await verifyBackup({
    archive: await openBackup(bytes),
    roomIn,
    box,
    log: createRecordingLog(),
    clock: systemClock,
    onProgress: () => {},
  });
  expect(readdirSync(roomIn)).toEqual([]);
  return report;
};

describe("a backup", () => {
  // Each loading and opening starts a process: what several tests look at is made once.
  let dataDir: string;
  let report: RestoreReport;
  let found: { keys: string } | undefined;
  beforeAll(async () => {
    dataDir = newFolder();
    report = await restore(plain, configIn(dataDir, { APP_SECRET: secret }));
    [found] = await inDatabase<{ keys: string }>(
      dataDir,
      `select (select count(*)::int from users) as users, (select count(*)::int from sessions) as sessions,
        (select bucket from stored_objects) as bucket, (select encode(content, 'escape') from stored_object_parts where version = '0198a000-0000-7000-8000-00000000000a') as content,
        (select string_agg(key, ' ') from installation where key like 'backups.%') as keys`,
    );
  });

  test("says how many rows it holds while it is made as a restore does afterwards", () => {
    expect(told).toBe(report.rows);
  });

  test("restored elsewhere is not listed there, and its schedule is reported", () => {
    expect(report.ended.scheduledTo).toBe("storage");
    expect(found?.keys).toBe("backups.schedule");
  });

  test("X15: restored into an empty folder it is all there; sessions are ended and objects of buckets are at hand", () => {
    expect(report).toMatchObject({ key: "same", keptAs: null, objects: 1, ended: { sessions: 1 } });
    expect(found).toMatchObject({ users: 500, sessions: 0, bucket: null, content: "hello" });
    expect(readdirSync(dataDir).filter((name) => /part|restore|verify/.test(name))).toEqual([]);
  });

  test("S1: without its key holds neither the key nor a secret in the open", async () => {
    const archive = await openBackup(plain);
    const texts: string[] = [];
    for await (const { name, bytes } of archive.entries)
      texts.push(name, Buffer.from(bytes).toString("latin1"));
    const all = texts.join("\n");
    expect(all).toContain("redis.password");
    expect(all).not.toContain(canary);
    expect(all).not.toContain(Buffer.from(canary).toString("hex"));
    expect(all).not.toContain(secret);
  });

  test("X15: under another key it is refused with the remedies, and nothing is changed", async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, "app.key"), `${"another-key-with-many-characters-9876543210"}\n`);
    await expect(restore(plain, configIn(dataDir))).rejects.toThrow(/--include-key.*--drop-secrets/s);
    expect(readdirSync(dataDir)).toEqual(["app.key"]);
  });

  test("X15: without its key and its secrets it is restored on demand, and says what to enter again", async () => {
    const dataDir = newFolder();
    const report = await restore(plain, configIn(dataDir), { isDroppingSecrets: true });
    expect(report).toMatchObject({ key: "drop-secrets", dropped: { enterAgain: ["redis.password"] } });
    expect(await inDatabase(dataDir, "select count(*)::int as n from setting_secrets")).toEqual([{ n: 0 }]);
    expect(existsSync(join(dataDir, "app.key"))).toBeTrue();
    // The log says under which key it ended where, with the seal that proves it to whoever finds that key.
    const { headId, headHash, anchorId, anchorHash, seal } = report.dropped?.log ?? {};
    expect(headId).toBe(1);
    const sealed = box.open("activity", "activity_chain:seal:1", Uint8Array.fromBase64(seal ?? ""));
    expect(JSON.parse(new TextDecoder().decode(sealed))).toEqual([
      headId,
      headHash,
      anchorId,
      anchorHash,
      null,
    ]);
    expect(report.dropped?.log.fault).toBeNull();
  });

  test("X15: cut or altered it leaves what was there", async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, "database"));
    writeFileSync(join(dataDir, "database/PG_VERSION"), "18\n");
    const cut = plain.subarray(0, Math.floor(plain.byteLength * 0.7));
    await expect(restore(cut, configIn(dataDir, { APP_SECRET: secret }))).rejects.toThrow(/incomplete/);
    expect(readdirSync(dataDir)).toEqual(["database"]);
    expect(readdirSync(join(dataDir, "database"))).toEqual(["PG_VERSION"]);
  });

  test("is proven by a trial restore, which leaves nothing", async () => {
    const log = { fault: null, isSealChecked: true };
    expect(await verify(plain)).toMatchObject({ isSound: true, differing: [], log });
  });
});

describe("a backup of a log that was altered in the database", () => {
  let altered: Uint8Array;
  beforeAll(async () => {
    const { db } = source.handle;
    const say = (action: string) =>
      withoutTriggers(db, { table: "activities", event: "update" }, async () => {
        await db.execute(sql`update activities set action = ${action}`);
      });
    await say("Did something else");
    altered = await backup();
    await say("Did something");
  });

  test("is not sealed, where the key was lost, as if nothing were wrong with it", async () => {
    const dataDir = newFolder();
    const report = await restore(altered, configIn(dataDir), { isDroppingSecrets: true });
    const [found] = await inDatabase<{ fault: string }>(dataDir, "select fault from activity_chain");
    expect(found?.fault).toContain(report.dropped?.log.fault ?? "no fault was found");
  });

  test("is not sound in a trial restore, though every byte of it is as it was written", async () => {
    const log = { fault: expect.any(String), isSealChecked: true };
    expect(await verify(altered)).toMatchObject({ isSound: false, differing: [], log });
  });
});

describe("a backup with its key, for a recipient", () => {
  let identity: string;
  let locked: Uint8Array;
  beforeAll(async () => {
    identity = await generateX25519Identity();
    locked = await backup({ lock: { recipients: [await identityToRecipient(identity)] } });
  });

  test("makes a new machine whole, over what was there, which is kept", async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, "app.key"), "another-key-with-many-characters-9876543210\n");
    mkdirSync(join(dataDir, "database"));
    writeFileSync(join(dataDir, "database/PG_VERSION"), "18\n");
    const report = await restore(locked, configIn(dataDir), {
      keys: { passphrase: null, identities: [identity] },
    });
    expect(report.key).toBe("from-backup");
    expect(readFileSync(join(dataDir, "app.key"), "utf8").trim()).toBe(secret);
    expect(existsSync(report.keptAs ?? "")).toBeTrue();
    expect(readdirSync(dataDir).some((name) => name.startsWith("app.key.replaced-"))).toBeTrue();
  });
});
