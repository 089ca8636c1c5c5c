import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "#api/core/clock.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { printedByNobody, testAsRoot } from "#api/testing/other-user.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { UnfitDatabaseError } from "./errors.ts";

let whole: ReturnType<typeof makeDataFolder>;
let snapshot: string;

const open = (dataDir: string) =>
  openDatabase({ databaseUrl: null, dataDir, log: createRecordingLog(), clock: systemClock });

beforeAll(async () => {
  whole = makeDataFolder();
  const database = await open(whole.path);
  snapshot = (await database.snapshots?.take())?.name ?? "";
  await database.close();
});

afterAll(() => whole.remove());

/** Every file below a folder with a digest of what is in it; the lock names whoever asked last. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => name !== "lock")
      .sort()
      .map((name) => {
        const path = join(folder, name);
        const state = lstatSync(path);
        const content = state.isFile() ? Bun.hash(readFileSync(path)).toString(16) : "folder";
        return [name, `${content} ${state.mode}`];
      }),
  );

const logFiles = (database: string): string[] =>
  readdirSync(join(database, "pg_wal"))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => join(database, "pg_wal", name));

const zero = (path: string): void => writeFileSync(path, Buffer.alloc(lstatSync(path).size));

const noise = (path: string): void => writeFileSync(path, randomBytes(lstatSync(path).size));

/** Every table and index, those that tell the engine of the others among them. */
const tables = (database: string): string[] =>
  readdirSync(join(database, "base"), { recursive: true })
    .map(String)
    .filter((name) => /\/\d+$/.test(name))
    .map((name) => join(database, "base", name));

const damages: [string, (database: string) => void][] = [
  ["whose log is cut", (database) => logFiles(database).forEach((path) => void truncateSync(path, 100))],
  ["whose log is noise", (database) => logFiles(database).forEach(noise)],
  ["whose control file is noise", (database) => noise(join(database, "global/pg_control"))],
  ["whose log is gone", (database) => logFiles(database).forEach((path) => void rmSync(path))],
  ["without its folder of logs", (database) => rmSync(join(database, "pg_wal"), { recursive: true })],
  ["without PG_VERSION", (database) => rmSync(join(database, "PG_VERSION"))],
  ["without its control file", (database) => rmSync(join(database, "global/pg_control"))],
  ["without its folder global", (database) => rmSync(join(database, "global"), { recursive: true })],
  ["whose control file is cut", (database) => truncateSync(join(database, "global/pg_control"), 100)],
  ["whose control file is empty", (database) => truncateSync(join(database, "global/pg_control"), 0)],
  [
    "that was made half",
    (database) => {
      for (const name of readdirSync(database))
        if (!["PG_VERSION", "base", "pg_wal"].includes(name))
          rmSync(join(database, name), { recursive: true });
    },
  ],
  ["with an empty PG_VERSION", (database) => truncateSync(join(database, "PG_VERSION"), 0)],
  [
    "that is empty",
    (database) =>
      readdirSync(database).forEach((name) => void rmSync(join(database, name), { recursive: true })),
  ],
  ["that is gone", (database) => rmSync(database, { recursive: true })],
  [
    "that is a file",
    (database) => {
      rmSync(database, { recursive: true });
      writeFileSync(database, "x");
    },
  ],
  ["whose control file is zeros", (database) => zero(join(database, "global/pg_control"))],
  ["of another PostgreSQL", (database) => writeFileSync(join(database, "PG_VERSION"), "17\n")],
];

/** A copy of the whole folder, damaged; removed after `work`. */
const withDamage = async (
  damage: (database: string) => void,
  work: (dataDir: string) => Promise<void>,
): Promise<void> => {
  const folder = makeDataFolder();
  try {
    cpSync(whole.path, folder.path, { recursive: true });
    damage(join(folder.path, "database"));
    await work(folder.path);
  } finally {
    folder.remove();
  }
};

const expectRefusal = async (dataDir: string): Promise<string> => {
  const failure = await failureOf(open(dataDir));
  expect(failure).toBeInstanceOf(UnfitDatabaseError);
  expect(String(failure)).toContain(`atrium snapshot restore ${snapshot} --yes --data-dir ${dataDir}`);
  expect(String(failure)).not.toContain("ASSERTIONS");
  return String(failure);
};

for (const [name, damage] of damages) {
  test(`X14: a database ${name} is refused with the command that helps, and not a byte is changed`, () =>
    withDamage(damage, async (dataDir) => {
      const before = treeOf(dataDir);
      expect(await expectRefusal(dataDir)).toContain("Nothing was changed. ");
      expect(treeOf(dataDir)).toEqual(before);
    }));
}

test("X14: a database whose pages are zeros is refused with the command that helps, and its tables are left alone", () =>
  withDamage(
    (database) => tables(database).forEach(zero),
    async (dataDir) => {
      const before = treeOf(dataDir);
      expect(await expectRefusal(dataDir)).not.toContain("Nothing was changed");
      const after = treeOf(dataDir);
      // The engine starts before it can see them: it throws away its caches, and notes that it was started.
      const own = /(?:pg_control|pg_internal\.init)$/;
      const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
      expect(changed.filter((name) => !own.test(name))).toEqual([]);
    },
  ));

test("X14: an empty folder, and none at all, are a new installation where there are no snapshots", async () => {
  for (const prepare of [(path: string) => mkdirSync(join(path, "database")), () => {}]) {
    const folder = makeDataFolder();
    prepare(folder.path);
    const database = await open(folder.path);
    await database.check();
    await database.close();
    folder.remove();
  }
});

testAsRoot("X14: another user's database is refused, and not a byte is changed", () =>
  withDamage(
    () => {},
    async (dataDir) => {
      chmodSync(dataDir, 0o755);
      const before = treeOf(dataDir);
      const printed = await printedByNobody(
        { "{ ensureCluster }": join(import.meta.dir, "cluster-folder.ts") },
        `await ensureCluster(${JSON.stringify(join(dataDir, "database"))}, null)
            .catch((error) => console.log(error.message));`,
      );
      expect(printed).toContain("Run as the folder's owner");
      expect(treeOf(dataDir)).toEqual(before);
    },
  ),
);
