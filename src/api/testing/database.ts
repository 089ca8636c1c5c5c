import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { Database } from "#api/db/database.ts";
import { serveWire } from "#api/db/embedded/wire-server.ts";
import * as schema from "#api/db/schema.ts";

/** A migrated database of the test's own. */
export type TestDatabase = { db: Database; close(): Promise<void> };

/**
 * Opens an empty, migrated database that nobody else uses: on the server of `TEST_DATABASE_URL` when that is set
 * (a copy of `TEST_DATABASE_TEMPLATE` if named), otherwise in memory. Close it after the tests.
 */
export const openTestDatabase = (): Promise<TestDatabase> => {
  const { TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE } = process.env;
  return TEST_DATABASE_URL ? openOnServer(TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE) : openInMemory();
};

const root = join(import.meta.dir, "../../..");
const migrationsFolder = join(root, "drizzle");
const onnotice = () => {};

const openOnServer = async (url: string, template: string | undefined): Promise<TestDatabase> => {
  // The suites run beside each other: only a random name is free for sure.
  const name = `t_${randomBytes(8).toString("hex")}`;
  const admin = postgres(url, { max: 1, onnotice });
  await admin.unsafe(`create database ${name}${template ? ` template ${template}` : ""}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  // As the product connects.
  const client = postgres(target.href, { max: 10, onnotice, connection: { jit: "off" } });
  const db = drizzle(client, { schema });
  if (!template) await migrate(db, { migrationsFolder });
  return {
    db,
    close: async () => {
      await client.end();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
};

// The engine runs in this process, without a child and without a disk; the driver and what it speaks are the product's.
const openInMemory = async (): Promise<TestDatabase> => {
  const snapshot = await readSnapshot();
  const extensions = { pg_trgm };
  const engine = await PGlite.create(snapshot ? { loadDataDir: snapshot, extensions } : { extensions });
  const folder = await mkdtemp(join(tmpdir(), "atrium-test-"));
  const socketPath = join(folder, "database");
  let isClosing = false;
  const server = await serveWire({
    engine,
    serverVersion: "18.0",
    socketPath,
    idleLimitMs: 30_000,
    onIdleTransaction: () => {},
    onBroken: (reason) => {
      if (!isClosing) throw new Error(reason);
    },
  });
  const client = postgres({ path: socketPath, user: "postgres", database: "postgres", max: 4, onnotice });
  const db = drizzle(client, { schema });
  if (!snapshot) {
    await migrate(db, { migrationsFolder });
    await writeSnapshot(engine);
  }
  return {
    db,
    close: async () => {
      // The server may still be tidying up after the last connection when the engine goes.
      isClosing = true;
      await client.end();
      await server.close();
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
};

// A migrated cluster is kept between runs: to load it takes a quarter of the time that making it takes.
const snapshotFolder = join(root, "node_modules/.cache/atrium");

const snapshotPath = async (): Promise<string> => {
  const hash = createHash("sha256");
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  for (const name of names) hash.update(name).update(await readFile(join(migrationsFolder, name)));
  hash.update(await readFile(join(root, "package.json")));
  return join(snapshotFolder, `test-database-${hash.digest("hex").slice(0, 16)}.tar`);
};

const readSnapshot = async (): Promise<Blob | null> => {
  const file = Bun.file(await snapshotPath());
  return (await file.exists()) ? file : null;
};

const writeSnapshot = async (client: PGlite): Promise<void> => {
  const path = await snapshotPath();
  await mkdir(snapshotFolder, { recursive: true });
  const dump = await client.dumpDataDir("none");
  // Suites that start at the same time must never see half a file.
  const part = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(part, new Uint8Array(await dump.arrayBuffer()));
  await rename(part, path);
};
