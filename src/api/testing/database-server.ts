import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { startEmbeddedServer } from "#api/db/embedded/supervisor.ts";
import { applyMigrations } from "#api/db/rebuild-schema.ts";
import { makeDataFolder } from "./data-folder.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { createRecordingLog } from "./recording-log.ts";

/** A server that speaks PostgreSQL's protocol over TCP, with a database, behind a line that can be disturbed. */
export type TestDatabaseServer = {
  url: string;
  /** Keeps connections open and accepts new ones, but nothing comes through any more. */
  freeze(): void;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The server of `TEST_DATABASE_URL`, or else the embedded database posing as one: with an empty database, or with a migrated
 * one, since the embedded one answers no one else while it migrates and then counts as away on a busy machine.
 */
export const startTestDatabaseServer = async ({ isMigrated = false } = {}): Promise<TestDatabaseServer> => {
  const { TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE } = process.env;
  const target = TEST_DATABASE_URL
    ? await onServer(TEST_DATABASE_URL, isMigrated ? TEST_DATABASE_TEMPLATE : undefined)
    : await onEmbedded(isMigrated);
  const proxy = await startFaultProxy(target.address);
  return {
    url: `postgres://${target.user}@127.0.0.1:${proxy.port}/${target.database}`,
    freeze: proxy.freeze,
    cut: proxy.cut,
    mend: proxy.mend,
    close: async () => {
      await proxy.close();
      await target.close();
    },
  };
};

const onServer = async (adminUrl: string, template: string | undefined) => {
  const { hostname, port, username, password } = new URL(adminUrl);
  const database = `t_${randomBytes(8).toString("hex")}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${database}${template ? ` template ${template}` : ""}`);
  return {
    address: { host: hostname, port: Number(port || 5432) },
    user: password ? `${username}:${password}` : username,
    database,
    close: async () => {
      await admin.unsafe(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
};

const onEmbedded = async (isMigrated: boolean) => {
  const folder = makeDataFolder();
  const server = await startEmbeddedServer(folder.path, createRecordingLog());
  await onSocket(server.socketPath, isMigrated ? (sql) => applyMigrations(drizzle(sql)) : empty);
  return {
    address: { path: server.socketPath },
    user: "postgres",
    database: "postgres",
    close: async () => {
      await server.stop();
      folder.remove();
    },
  };
};

const onSocket = async (path: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> => {
  const sql = postgres({ path, user: "postgres", database: "postgres", max: 1, onnotice: () => {} });
  await work(sql);
  await sql.end();
};

/** The embedded database starts from a seed that is migrated already, where one has been built. */
const empty = (sql: postgres.Sql) =>
  sql.unsafe("drop schema if exists drizzle cascade; drop schema public cascade; create schema public");
