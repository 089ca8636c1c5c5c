import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { newIdentity } from "./archive/age.ts";
import { makeBackup } from "./dump.ts";

const folder = makeDataFolder();
const scratch = join(folder.path, "backup.part");

const source = await handleForFile();
await migrate(source.handle);
// More than the streams on the way hold, and nothing that becomes small by being compressed.
// Words that no one writes would take their index long.
await source.handle.db.execute(sql`drop index contact_messages_search`);
await source.handle.db.execute(sql`
  insert into contact_messages (id, name, email, subject, message, ip, idempotency_key, content_hash)
  select gen_random_uuid(), 'Ada', 'ada@example.test', 'General',
    (select string_agg(md5(random()::text || n || m), '') from generate_series(1, 60) m), '127.0.0.1', n::text, n::text
  from generate_series(1, 3000) n`);
afterAll(async () => {
  folder.remove();
});

const refuse = (take: (bytes: AsyncIterable<Uint8Array>) => Promise<never>, recipients: string[] = []) =>
  failureOf(
    makeBackup(
      {
        handle: source.handle,
        objects: { get: async () => null },
        clock: systemClock,
        log: createRecordingLog(),
        scratch,
        key: null,
        lock: recipients.length === 0 ? null : { recipients },
        onProgress: () => {},
      },
      take,
    ),
  );

const restingSessions = async (): Promise<number> => {
  const [row] = await source.handle.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where state = 'idle in transaction' and datname = current_database()`);
  return row?.count ?? -1;
};

const refusal = new Error("the destination refuses");

test("X3: a backup whose destination refuses it from the start or halfway leaves nothing open, and the server continues", async () => {
  const atOnce = async (): Promise<never> => {
    throw refusal;
  };
  const halfway = async (bytes: AsyncIterable<Uint8Array>): Promise<never> => {
    for await (const _ of bytes) throw refusal;
    throw new Error("there was nothing to take");
  };
  // One that is begun, and then forgotten.
  const forgotten = async (bytes: AsyncIterable<Uint8Array>): Promise<never> => {
    await bytes[Symbol.asyncIterator]().next();
    throw refusal;
  };
  const { recipient } = await newIdentity();
  expect(await refuse(atOnce)).toBe(refusal);
  expect(await refuse(halfway, [recipient])).toBe(refusal);
  expect(await refuse(forgotten, [recipient])).toBe(refusal);
  await until(async () => (await restingSessions()) === 0 && !existsSync(scratch));
  expect(await source.handle.check()).toBeUndefined();
}, 60_000);
