import { beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { migrationsFolder } from "./bundled-files.ts";
import { migrate, migrationStatus } from "./migrate.ts";
import { readJournal, thisProgram } from "./migration-journal.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { applyMigrations } from "./rebuild-schema.ts";
import { identities, sessions, users } from "./schema.ts";
import { userColumns } from "./user-rows.ts";

const database = await handleForFile();

beforeEach(async () => {
  // The embedded one starts from a seed that is migrated already.
  await database.handle.db.execute(sql`drop schema if exists drizzle cascade`);
  await database.handle.db.execute(sql`drop schema public cascade`);
  await database.handle.db.execute(sql`create schema public`);
});

test("an empty database has everything pending, and afterwards everything applied", async () => {
  const before = await migrationStatus(database.handle);
  expect(before.length).toBeGreaterThan(0);
  expect(before.every(({ appliedAt }) => appliedAt === null)).toBe(true);
  const startedAt = Date.now();
  await migrate(database.handle);
  const after = await migrationStatus(database.handle);
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  for (const { appliedAt } of after) {
    expect(Math.abs(new Date(appliedAt ?? 0).getTime() - startedAt)).toBeLessThan(60_000);
  }
  expect([...(await database.handle.db.select().from(users))]).toEqual([]);
});

test("a second run changes nothing, not even the times", async () => {
  await migrate(database.handle);
  const before = await migrationStatus(database.handle);
  await migrate(database.handle);
  expect(await migrationStatus(database.handle)).toEqual(before);
});

test("five simultaneous runs migrate once", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(database.handle)));
  const [row] = await database.handle.db.execute<{ n: number }>(
    sql`select count(*)::int as n from drizzle.__drizzle_migrations`,
  );
  expect(row?.n).toBe((await migrationStatus(database.handle)).length);
});

test("a migration without a time, as the seed holds it, gets that of the first start", async () => {
  await migrate(database.handle);
  await database.handle.db.execute(sql`update drizzle.__drizzle_migrations set applied_at = null`);
  await migrate(database.handle);
  const times = (await migrationStatus(database.handle)).map(({ appliedAt }) => appliedAt);
  expect(times).not.toContain(null);
});

/** What a migration does, statement by statement: later ones are done already, and none can be undone. */
const statementsOf = async (name: string): Promise<string[]> =>
  (await Bun.file(join(migrationsFolder, `${name}.sql`)).text()).split("--> statement-breakpoint");

test("users who signed in before it was recorded get their last sign-in or visit as last seen", async () => {
  const { db } = database.handle;
  await migrate(database.handle);
  await db.execute(sql`alter table users drop column last_seen_at`);
  const ids = Array.from({ length: 3 }, () => crypto.randomUUID());
  for (const id of ids)
    await db.execute(sql`insert into users (id, name, email, email_key) values (${id}, 'Ada', ${id}, ${id})`);
  await db.execute(sql`
    insert into sessions (token_hash, id, user_id, ip, last_used_at, expires_at) values
      ('a', ${crypto.randomUUID()}, ${ids[0]}, '::1', '2026-11-20T10:00Z', now()),
      ('b', ${crypto.randomUUID()}, ${ids[0]}, '::1', '2026-11-20T09:00Z', now())`);
  await db.execute(sql`
    insert into known_devices (token_hash, user_id, last_used_at) values
      ('c', ${ids[0]}, '2026-11-20T08:00Z'), ('d', ${ids[1]}, '2026-11-20T07:00Z')`);
  for (const statement of await statementsOf("0002_last_seen")) await db.execute(sql.raw(statement));
  const rows = await db.select().from(users);
  expect(ids.map((id) => rows.find((row) => row.id === id)?.lastSeenAt?.toISOString() ?? null)).toEqual([
    "2026-11-20T10:00:00.000Z",
    "2026-11-20T07:00:00.000Z",
    null,
  ]);
});

test("sessions that began before confirmations were recorded count as confirmed when they began", async () => {
  const { db } = database.handle;
  await applyMigrations(db, { through: "0010_plugin_publisher" });
  const id = crypto.randomUUID();
  await db.execute(sql`insert into users (id, name, email, email_key) values (${id}, 'Ada', 'ada', 'ada')`);
  await db.execute(sql`
    insert into sessions (token_hash, id, user_id, ip, created_at, last_used_at, expires_at)
    values ('a', ${crypto.randomUUID()}, ${id}, '::1', '2026-11-20T10:00Z', now(), now())`);
  await migrate(database.handle);
  const [session] = await db.select().from(sessions);
  expect([session?.confirmedAt.toISOString(), session?.factorAt]).toEqual(["2026-11-20T10:00:00.000Z", null]);
});

test("O5: who was linked to a provider before identities had a table still is, at the issuer of then, on no known date", async () => {
  const { db } = database.handle;
  const [former, other] = ["https://id.example", "https://other.example/realms/main"];
  const [ada, bob, eve] = Array.from({ length: 3 }, () => crypto.randomUUID());
  await applyMigrations(db, { through: "0006_api_tokens" });
  await db.execute(sql`
    insert into users (id, name, email, email_key, google_id, github_id) values
      (${ada}, 'Ada', 'ada', 'ada', '1', '1'), (${bob}, 'Bob', 'bob', 'bob', ${`${other} 1`}, null),
      (${eve}, 'Eve', 'eve', 'eve', null, null)`);
  await db.execute(sql`insert into installation (key, value) values ('identities.google', ${former})`);
  await migrate(database.handle);
  const rows = await db.select().from(identities);
  const lines = rows.map(({ userId, provider, issuer, subject }) =>
    [userId, provider, issuer, subject].join(" "),
  );
  expect(lines.sort()).toEqual(
    [
      `${ada} google ${former} 1`,
      // No server of that version was ever set up for GitHub.
      `${ada} github https://github.com 1`,
      `${bob} google ${other} 1`,
    ].sort(),
  );
  expect(rows.map(({ email, linkedAt, lastUsedAt }) => [email, linkedAt, lastUsedAt])).toEqual(
    Array(3).fill([null, null, null]),
  );
  const wire = await db.select(userColumns).from(users);
  expect(wire.map(({ id, subjects, mailboxProvedAt }) => [id, subjects, mailboxProvedAt])).toEqual(
    expect.arrayContaining([
      [ada, { google: "1", github: "1" }, null],
      [bob, { google: "1" }, null],
      [eve, {}, null],
    ]),
  );
  expect(await db.execute(sql`select from installation where key like 'identities.%'`)).toHaveLength(0);
});

test("a database that is away is said to be away", async () => {
  const nowhere = openPostgres("postgres://app@127.0.0.1:1/app");
  try {
    expect(await failureOf(migrate(nowhere))).toMatchObject({ kind: "DB_UNAVAILABLE" });
  } finally {
    await nowhere.close();
  }
});

test("the snapshot for the next migration is that of the newest one, and older ones are gone", async () => {
  const [number] = (await readJournal(thisProgram)).at(-1)?.tag.split("_") ?? [];
  const names = readdirSync(join(migrationsFolder, "meta")).sort();
  expect(names).toEqual([`${number}_snapshot.json`, "_journal.json"]);
});
