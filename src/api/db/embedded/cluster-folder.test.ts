import { beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failureOf } from "#api/testing/failure-of.ts";
import { dataFolderForEachTest } from "#api/testing/for-each-test.ts";
import { ensureCluster, UnusableFolderError } from "./cluster-folder.ts";
import { openEngine } from "./engine.ts";

const folder = dataFolderForEachTest();
let cluster: string;

beforeEach(() => {
  cluster = join(folder.path, "database");
});

test("without a seed a cluster is made, and it opens", async () => {
  await ensureCluster(cluster, null);
  expect(readdirSync(folder.path)).toEqual(["database"]);
  const engine = await openEngine({ folder: cluster });
  await engine.exec("create extension pg_trgm");
  const { rows } = await engine.query("select similarity('word', 'words') > 0.5 as close");
  expect(rows).toEqual([{ close: true }]);
  await engine.close();
});

test("a cluster that is there is left as it is", async () => {
  mkdirSync(cluster);
  writeFileSync(join(cluster, "PG_VERSION"), "18\n");
  for (const name of ["global", "base", "pg_wal", "pg_xact", "pg_multixact"]) mkdirSync(join(cluster, name));
  for (const name of ["global/pg_control", "postgresql.conf"]) writeFileSync(join(cluster, name), "x");
  const before = readdirSync(cluster).sort();
  await ensureCluster(cluster, null);
  expect(readdirSync(cluster).sort()).toEqual(before);
});

test.each([
  ["another PostgreSQL's", "PG_VERSION", "17\n", "created by PostgreSQL 17"],
  ["one whose version is unreadable", "PG_VERSION", "", "PG_VERSION is unreadable"],
  ["one without a version", "base", "x", "PG_VERSION is missing"],
])("%s folder is refused and not touched", async (_name, file, content, text) => {
  mkdirSync(cluster);
  writeFileSync(join(cluster, file), content);
  const error = await ensureCluster(cluster, null).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnusableFolderError);
  expect(String(error)).toContain(text);
  expect(readFileSync(join(cluster, file), "utf8")).toBe(content);
  expect(existsSync(`${cluster}.tmp`)).toBe(false);
});

test("a seed that is cut short leaves no database behind, nor half of one", async () => {
  const seed = join(folder.path, "seed");
  writeFileSync(seed, "not a seed");
  expect(await failureOf(ensureCluster(cluster, seed))).toBeInstanceOf(Error);
  expect(readdirSync(folder.path)).toEqual(["seed"]);
});

const put = (name: string): void => {
  mkdirSync(dirname(join(folder.path, name)), { recursive: true });
  writeFileSync(join(folder.path, name), "x");
};
const backup = "backups/atrium-20261121T143000Z-0a1b2c.tar.zst";
const aside = "database.replaced-20261121T143000Z";

test.each([
  ["its backup", [backup], [`atrium restore {}/${backup} --yes --data-dir {}`, "set DATABASE_URL"]],
  ["its encrypted backup", [`${backup}.age`], [`atrium restore {}/${backup}.age --yes --data-dir {}`]],
  [
    "what a restore put aside",
    [`${aside}/PG_VERSION`],
    [`move the former database {}/${aside} back to {}/database`],
  ],
] as const)(
  "X14: beside %s no new database is made, and the refusal names the way back",
  async (_, files, words) => {
    for (const name of ["app.key", ...files]) put(name);
    for (const isThere of [false, true]) {
      if (isThere) mkdirSync(cluster);
      const before = readdirSync(folder.path, { recursive: true }).sort();
      const error = await failureOf(ensureCluster(cluster, null));
      expect(error).toBeInstanceOf(UnusableFolderError);
      for (const text of words) expect(String(error)).toContain(text.replaceAll("{}", folder.path));
      expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual(before);
    }
  },
);

test("X14: an empty place for a database beside a key is refused, and without that place the key alone is a new installation's", async () => {
  put("app.key");
  mkdirSync(cluster);
  const error = await failureOf(ensureCluster(cluster, null));
  expect(error).toBeInstanceOf(UnusableFolderError);
  expect(String(error)).toContain("is empty, beside the key of an installation");
  expect(String(error)).toContain("move the folder away to start with an empty database");
  rmdirSync(cluster);
  await ensureCluster(cluster, null);
  expect(existsSync(join(cluster, "PG_VERSION"))).toBe(true);
});

test("an empty place for a database, with nothing that tells of one, gets one", async () => {
  mkdirSync(cluster);
  put("backups/handover/notes.txt");
  mkdirSync(join(folder.path, aside));
  await ensureCluster(cluster, null);
  expect(existsSync(join(cluster, "PG_VERSION"))).toBe(true);
});
