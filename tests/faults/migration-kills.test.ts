import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { systemClock } from "#api/core/clock.ts";
import { migrate, migrationStatus } from "#api/db/migrate.ts";
import { type Program, readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { sized } from "#api/testing/size.ts";
import { dataPlaces } from "../driver/databases.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";
import type { MigrateAndDie } from "./migrate-and-die.ts";

setDefaultTimeout(sized(120_000, 3_600_000));

/** How many places to kill at; all of them in the full size. */
const kills = sized(2, Number.POSITIVE_INFINITY);

const script = join(import.meta.dir, "migrate-and-die.ts");
let folder: string;
let first: Program;

beforeAll(async () => {
  folder = temporaryFolder();
  const migrations = join(folder, "first");
  mkdirSync(join(migrations, "meta"), { recursive: true });
  const entries = (await readJournal(thisProgram)).slice(0, 1);
  for (const { tag } of entries)
    cpSync(join(thisProgram.migrations, `${tag}.sql`), join(migrations, `${tag}.sql`));
  await Bun.write(join(migrations, "meta/_journal.json"), JSON.stringify({ entries }));
  first = { ...thisProgram, version: "0.1.0", migrations };
});

afterAll(() => removeFolder(folder));

const withHandle = async <T>(
  where: Pick<MigrateAndDie, "databaseUrl" | "dataDir">,
  work: (handle: DatabaseHandle) => Promise<T>,
): Promise<T> => {
  const handle = await openDatabase({ ...where, log: createRecordingLog(), clock: systemClock });
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
};

/** An installation of the program's very first version, with someone in it. */
const makeOld = (handle: DatabaseHandle): Promise<void> =>
  handle.exclusively(async (db) => {
    await db.execute(sql`drop schema if exists drizzle cascade`);
    await db.execute(sql`drop schema public cascade`);
    await db.execute(sql`create schema public`);
    await migrate({ ...handle, exclusively: (work) => work(db) }, first);
    await db.execute(
      sql`insert into users (id, name, email, email_key) values (gen_random_uuid(), 'Ada', 'ada', 'ada')`,
    );
  });

/** Everything that migrations make, and who is there. */
const shapeOf = async ({ db }: DatabaseHandle): Promise<unknown> => [
  ...(await db.execute(sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by 1, 2`)),
  ...(await db.execute(sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`)),
  ...(await db.execute(
    sql`select conrelid::regclass::text, conname from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  )),
  ...(await db.execute(sql`select name, email from users`)),
];

const runScript = async (args: MigrateAndDie) => {
  const child = Bun.spawn([process.execPath, script, JSON.stringify(args)], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, signal: child.signalCode, output, errors };
};

describe("X7: kill -9 during an upgrade", () => {
  for (const place of dataPlaces()) {
    afterAll(() => place.close());
    test(`${place.name}: after a kill between any two statements of the migrations the next start completes them`, async () => {
      /** A new copy of the old installation. */
      const oldOne = async (): Promise<Pick<MigrateAndDie, "databaseUrl" | "dataDir">> => {
        const dataDir = temporaryFolder();
        const databaseUrl = (await place.env()).DATABASE_URL ?? null;
        if (databaseUrl === null && template !== null) {
          removeFolder(dataDir);
          cpSync(template, dataDir, { recursive: true });
        } else await withHandle({ databaseUrl, dataDir }, makeOld);
        return { databaseUrl, dataDir };
      };
      let template: string | null = null;
      const reference = await oldOne();
      if (reference.databaseUrl === null) {
        template = join(folder, "old");
        cpSync(reference.dataDir, template, { recursive: true });
      }
      const through = await runScript({ ...reference, program: thisProgram, killAt: -1 });
      expect(through.errors).toBe("");
      const statements = Number(through.output);
      expect(statements).toBeGreaterThan(20);
      const expected = await withHandle(reference, shapeOf);
      removeFolder(reference.dataDir);
      const all = Array.from({ length: statements }, (_, index) => index + 1);
      // The last, some in between that are others each time, and the first.
      const middle = all.slice(1, -1).sort(() => Math.random() - 0.5);
      for (const killAt of [statements, ...middle, 1].slice(0, kills)) {
        const where = await oldOne();
        const { signal } = await runScript({ ...where, program: thisProgram, killAt });
        expect({ killAt, signal }).toEqual({ killAt, signal: "SIGKILL" });
        await withHandle(where, async (handle) => {
          await migrate(handle);
          expect({ killAt, shape: await shapeOf(handle) }).toEqual({ killAt, shape: expected });
          expect((await migrationStatus(handle)).filter(({ appliedAt }) => appliedAt === null)).toEqual([]);
        });
        removeFolder(where.dataDir);
      }
      console.log(`${place.name}: killed before ${Math.min(kills, statements)} of ${statements} statements`);
    });
  }
});
