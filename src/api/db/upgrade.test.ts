import { beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { folderForFile } from "#api/testing/for-each-test.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { migrate, migrationStatus, readVersionStamp, refuseNewer } from "./migrate.ts";
import { type Program, readJournal, thisProgram } from "./migration-journal.ts";

const database = await handleForFile();
const folder = folderForFile();

beforeEach(async () => {
  // The embedded one starts from a seed that is migrated already.
  await database.handle.db.execute(sql`drop schema if exists drizzle cascade`);
  await database.handle.db.execute(sql`drop schema public cascade`);
  await database.handle.db.execute(sql`create schema public`);
});

/** A later version of the program, with a migration more. */
const laterProgram = async (version: string, statement: string): Promise<Program> => {
  const migrations = join(folder, version);
  mkdirSync(join(migrations, "meta"), { recursive: true });
  const entries = await readJournal(thisProgram);
  for (const { tag } of entries)
    await Bun.write(join(migrations, `${tag}.sql`), Bun.file(join(thisProgram.migrations, `${tag}.sql`)));
  const when = Math.max(...entries.map((entry) => entry.when)) + 1;
  const added = { idx: entries.length, version: "7", when, tag: "9999_later", breakpoints: true };
  await Bun.write(join(migrations, "9999_later.sql"), statement);
  await Bun.write(join(migrations, "meta/_journal.json"), JSON.stringify({ entries: [...entries, added] }));
  return { ...thisProgram, version, migrations };
};

/** The versions before whose changes the database was copied. */
const copiedBefore = async () =>
  ((await database.handle.snapshots?.list()) ?? []).map(({ before }) => before);

test("a new installation is stamped with the version, and nothing is copied", async () => {
  const before = await copiedBefore();
  expect(await readVersionStamp(database.handle.db)).toBeNull();
  await migrate(database.handle);
  expect(await readVersionStamp(database.handle.db)).toBe(thisProgram.version);
  expect(await copiedBefore()).toEqual(before);
});

test("X7: an upgrade copies the embedded database first; the older program is refused then, with both versions and the way back", async () => {
  await migrate(database.handle);
  const later = await laterProgram("98.1.0", "create table later (n int)");
  await migrate(database.handle, later);
  expect(await readVersionStamp(database.handle.db)).toBe("98.1.0");
  const [snapshot] = (await database.handle.snapshots?.list()) ?? [];
  const refusals = [
    await failureOf(migrate(database.handle)),
    await failureOf(migrationStatus(database.handle)),
    await failureOf(refuseNewer(database.handle)),
  ];
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(UnfitDatabaseError);
    expect(String(refusal)).toContain("version 98.1.0 of Atrium has changed it");
    expect(String(refusal)).toContain(`this is version ${thisProgram.version}`);
    expect(String(refusal)).toContain(
      snapshot === undefined
        ? "create an empty database, set DATABASE_URL to it"
        : `atrium snapshot restore ${snapshot.name} --yes`,
    );
  }
  if (database.handle.kind === "embedded") expect(snapshot?.before).toBe("98.1.0");
  // Of a server there are no snapshots, and what the newer version has made there no restore of the older one would remove.
  const ofServer = await failureOf(refuseNewer({ db: database.handle.db, snapshots: null }));
  expect(String(ofServer)).toContain("create an empty database, set DATABASE_URL to it");
  // Refused, it has not put its own stamp there.
  expect(await readVersionStamp(database.handle.db)).toBe("98.1.0");
  await migrate(database.handle, later);
});

test("an older program with the same schema starts", async () => {
  await migrate(database.handle, { ...thisProgram, version: "99.0.0" });
  await migrate(database.handle);
  expect(await readVersionStamp(database.handle.db)).toBe(thisProgram.version);
  expect(await copiedBefore()).not.toContain("99.0.0");
});

test("an upgrade that fails leaves the database as it was, open to the older program", async () => {
  await migrate(database.handle);
  const broken = await laterProgram(
    "98.2.0",
    "create table later (n int);\n--> statement-breakpoint\nselect 1 / 0",
  );
  expect(String(await failureOf(migrate(database.handle, broken)))).toContain("Failed query");
  await migrate(database.handle);
  const [row] = await database.handle.db.execute<{ later: string | null }>(
    sql`select to_regclass('later')::text as later`,
  );
  expect(row?.later).toBeNull();
});
