import type { RedisReport } from "#api/adapters/redis/inspect-redis.ts";
import type { ConfigRow } from "#api/config/describe-config.ts";
import type { Config } from "#api/config.ts";
import type { RunningServer } from "#api/http/serve.ts";
import type { PluginTools } from "#api/plugin-host/author/plugin-tools.ts";

/** The app in this very process, for as long as a command needs it. */
export type LocalApp = {
  handle(request: Request): Promise<Response>;
  /** Starts a plugin and those that it needs, for calls of its routes: no other runs here. Once is enough. */
  startPlugin(name: string): Promise<void>;
  close(): Promise<void>;
};

/** One migration; `appliedAt` is an ISO time, or `null` while it waits. */
export type MigrationState = { name: string; appliedAt: string | null };

/** The database as it lies there, looked at without changing it. */
export type DatabaseReport = {
  kind: "postgres" | "embedded";
  version: string;
  sizeBytes: number;
  migrations: MigrationState[];
};

/** A Redis server as it was found, and who set it up. */
export type RedisInspection = RedisReport & { source: "settings" | "environment" };

/**
 * What the commands can ask of the rest of the product. `main.ts` builds it, so that no command imports the server;
 * each function loads what it needs when it is called.
 */
export type Composition = {
  dataDir: string;
  controlSocket: string;
  /** Throws `ConfigError`. */
  config(): Config;
  describeConfig(): ConfigRow[];
  /** Throws `ConfigError`, `UnusableKeyError` and `DataFolderInUseError`, as do the next three. */
  startServer(options: { isSafeMode: boolean }): Promise<RunningServer>;
  openApp(): Promise<LocalApp>;
  inspectDatabase(): Promise<DatabaseReport>;
  /**
   * The Redis server that a start would use, whether it is saved in the settings or named by the environment; `null` when
   * there is none. Opens the database if there is one. Throws what that throws.
   */
  inspectRedis(): Promise<RedisInspection | null>;
  /** The migrations that a database would need which does not exist yet. */
  migrationsOfNewDatabase(): Promise<MigrationState[]>;
  /** Applies what is pending; `applied` names what this call applied. */
  migrate(): Promise<{ applied: string[]; migrations: MigrationState[] }>;
  /** Whether there is a database to look at: the embedded one is made by the first start. */
  hasDatabase(): boolean;
  /** A plugin's folder as a package; sources are built first. Throws an `Error` that tells what is wrong with it. */
  packPlugin(folder: string): Promise<Uint8Array>;
  /** The tools of those who write plugins. */
  pluginTools(): Promise<PluginTools>;
};
