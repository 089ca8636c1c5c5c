import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { ensureCluster, UnusableFolderError } from "./cluster-folder.ts";
import { openEngine } from "./engine.ts";

setDefaultTimeout(60_000);

let folder: ReturnType<typeof makeDataFolder>;
let cluster: string;

beforeEach(() => {
  folder = makeDataFolder();
  cluster = join(folder.path, "database");
});

afterEach(() => folder.remove());

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
  ["another PostgreSQL's", "PG_VERSION", "17\n", "made by PostgreSQL 17"],
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
