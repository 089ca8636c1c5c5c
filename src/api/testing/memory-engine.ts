import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { emptyEngine, type FreshState, readFreshState } from "./empty-engine.ts";

/** A database engine in this process, without a disk; its database is migrated and has nothing in it. */
export type MemoryEngine = { engine: PGlite; fresh: FreshState };

/** Starts one. Where there is no snapshot to start from, `migrate` is asked to fill it, and one is left for the next. */
export const startMemoryEngine = async (
  migrate: (engine: PGlite) => Promise<void>,
): Promise<MemoryEngine> => {
  const path = await snapshotPath();
  const [tar, state] = [Bun.file(path), Bun.file(stateOf(path))];
  if ((await tar.exists()) && (await state.exists())) {
    const engine = await PGlite.create({ loadDataDir: tar, extensions });
    return { engine, fresh: await state.json() };
  }
  const engine = await PGlite.create({ extensions, initDbStartParams });
  await migrate(engine);
  // Nothing makes a second database, and the templates for one are two thirds of the files.
  await engine.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ["template0", "template1"]) await engine.exec(`drop database ${name}`);
  await engine.exec("checkpoint");
  const fresh = await readFreshState(engine);
  const dump = await engine.dumpDataDir("none");
  await mkdir(folder, { recursive: true });
  await writeWhole(stateOf(path), JSON.stringify(fresh));
  await writeWhole(path, new Uint8Array(await dump.arrayBuffer()));
  return { engine, fresh };
};

/** Makes it as it was at its start. `false` where that cannot be done: it is of no more use then. */
export const renewMemoryEngine = ({ engine, fresh }: MemoryEngine): Promise<boolean> =>
  // Whatever is wrong with it, another one is started in its place.
  emptyEngine(engine, fresh).catch(() => false);

const extensions = { pg_trgm };
// As the product's: files of the log that are sixteen times smaller.
const initDbStartParams = ["--wal-segsize=1"];

// A migrated cluster is kept between runs: to load it takes a fraction of the time that making it takes.
const root = join(import.meta.dir, "../../..");
const folder = join(root, "node_modules/.cache/atrium");
const migrations = join(root, "drizzle");

const snapshotPath = async (): Promise<string> => {
  const hash = createHash("sha256");
  const names = (await readdir(migrations, { recursive: true }))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const own = ["memory-engine.ts", "empty-engine.ts"].map((name) => join(import.meta.dir, name));
  for (const path of [...names.map((name) => join(migrations, name)), join(root, "package.json"), ...own])
    hash.update(path.slice(root.length)).update(await readFile(path));
  return join(folder, `test-database-${hash.digest("hex").slice(0, 16)}.tar`);
};

const stateOf = (path: string): string => path.replace(/tar$/, "json");

/** Suites that start at the same time must never see half a file. */
const writeWhole = async (path: string, content: string | Uint8Array): Promise<void> => {
  const part = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(part, content);
  await rename(part, path);
};
