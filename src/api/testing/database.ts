import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Database } from "#api/core/database.ts";
import { ownMigrationsFolder } from "#api/db/bundled-files.ts";
import { serveWire } from "#api/db/embedded/wire-server.ts";
import { thisProgram } from "#api/db/migration-journal.ts";
import { applyMigrations } from "#api/db/rebuild-schema.ts";
import { type MemoryEngine, renewMemoryEngine, startMemoryEngine } from "./memory-engine.ts";

/** A migrated database of the test's own. */
export type TestDatabase = { db: Database; close(): Promise<void> };

/**
 * Opens an empty, migrated database that no one else uses: on the server of `TEST_DATABASE_URL` when that is set
 * (a copy of `TEST_DATABASE_TEMPLATE` if named), otherwise in memory. Close it after the
 * tests.
 */
export const openTestDatabase = (): Promise<TestDatabase> => {
  const { TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE } = process.env;
  return TEST_DATABASE_URL ? openOnServer(TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE) : openInMemory();
};

// Whatever a test makes of this program's own migrations.
const program = { ...thisProgram, ownMigrations: ownMigrationsFolder };
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
  const db = drizzle(client);
  if (!template) await applyMigrations(db, { program });
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
  const memory = (await renewIdle()) ?? (await startMemoryEngine(migrateEngine));
  const { db, disconnect } = await connect(memory.engine);
  return {
    db,
    close: async () => {
      await disconnect();
      if (idle.length < keptEngines) idle.push(memory);
      else await memory.engine.close();
    },
  };
};

/**
 * An engine that no one uses any more, as it was left: to start one takes ten times as long as to empty it. It outlives
 * the file, for the next one in this process.
 */
const idle: MemoryEngine[] = [];
const keptEngines = 1;

const renewIdle = async (): Promise<MemoryEngine | null> => {
  const memory = idle.pop();
  if (memory === undefined || (await renewMemoryEngine(memory))) return memory ?? null;
  await memory.engine.close();
  return null;
};

const migrateEngine = async (engine: PGlite): Promise<void> => {
  const { db, disconnect } = await connect(engine);
  await applyMigrations(db, { program });
  await disconnect();
};

const connect = async (engine: PGlite): Promise<{ db: Database; disconnect: () => Promise<void> }> => {
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
  return {
    db: drizzle(client),
    disconnect: async () => {
      // The server may still be tidying up after the last connection when the engine goes.
      isClosing = true;
      await client.end();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
};
