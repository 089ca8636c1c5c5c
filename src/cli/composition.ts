import type { FilterFacts } from "#api/adapters/breached-passwords/filter-file.ts";
import type { RedisReport } from "#api/adapters/redis/run-redis-checks.ts";
import type { MoveReport, MoveWatch } from "#api/backups/move-to-postgres.ts";
import type { OperatorBackups } from "#api/backups/operator-backups.ts";
import type { MovePlan } from "#api/backups/plan-move.ts";
import type { ConfigRow } from "#api/config/describe-config.ts";
import type { Config } from "#api/config.ts";
import type { PostgresFacts } from "#api/db/postgres/inspect-postgres.ts";
import type { RunningServer } from "#api/http/server/serve.ts";
import type { SupportFacts } from "#api/modules/system/contract.ts";
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

export type { PostgresFacts };

/** A snapshot as it lies in the data folder; `before` names the version that was about to change the database. */
export type SnapshotState = { name: string; madeAt: string; sizeBytes: number; before: string | null };

/** A Redis server as it was found, and who set it up. */
export type RedisInspection = RedisReport & { source: "settings" | "environment" };

/**
 * What the commands can ask of the rest of the product. `main.ts` builds it, so that no command imports the server;
 * each function loads what it needs when it is called.
 */
export type Composition = {
  dataDir: string;
  controlSocket: string;
  /** Throws `UnfitDatabaseError` when a file lies where the data folder would have to be. */
  refuseFile(): void;
  /** Throws `ConfigError`. */
  config(): Config;
  describeConfig(): ConfigRow[];
  /** Every secret of the environment and of the key file, to strike it from what is shown; also when it cannot be used. */
  secretTexts(): string[];
  /** Throws `ConfigError`, `UnusableKeyError` and `DataFolderInUseError`, as do the next three. */
  startServer(options: {
    isSafeMode: boolean;
    /** Called with the one-time link of an installation without users, as soon as there is one. */
    onSetupLink: (link: string) => void;
  }): Promise<RunningServer>;
  /**
   * The app on the installation that is there; only with `mayMake` one is made, or an older version's migrated. Else throws
   * `NoInstallationError` and `UnfitDatabaseError`.
   */
  openApp(options: { mayMake: boolean }): Promise<LocalApp>;
  /** The API's own description, as any installation has it: without plugins' routes. Opens nothing. Throws `ConfigError`. */
  describeApi(): Promise<object>;
  inspectDatabase(): Promise<DatabaseReport>;
  /** The PostgreSQL server itself, over connections of its own; `null` for the embedded database. Throws what the driver throws. */
  inspectPostgres(): Promise<PostgresFacts | null>;
  /**
   * The Redis server that a start would use, whether it is saved in the settings or named by the environment; `null` when
   * there is none. Opens the database if there is one. Throws what that throws.
   */
  inspectRedis(): Promise<RedisInspection | null>;
  /** What the database tells about the installation, as a server on it would. Opens the database, and changes nothing. */
  supportFacts(): Promise<SupportFacts>;
  /** The migrations that a database would need which does not exist yet. */
  migrationsOfNewDatabase(): Promise<MigrationState[]>;
  /** Applies what is pending; `applied` names what this call applied. */
  migrate(): Promise<{ applied: string[]; migrations: MigrationState[] }>;
  /**
   * What a move of the embedded database to the server at `url` would do. Throws `DataFolderInUseError`, `UnusableKeyError`,
   * `TransferError` and `DatabaseUnusableError`, as does the next one.
   */
  planMove(url: string): Promise<MovePlan>;
  /** Moves it; see `moveToPostgres`. */
  moveToPostgres(url: string, watch: MoveWatch): Promise<MoveReport>;
  /** What is done with backups while no server runs. Nothing is opened before it is asked for. */
  backups(): Promise<OperatorBackups>;
  /** Snapshots of the embedded database, newest first. Nothing is opened for it. */
  listSnapshots(): Promise<SnapshotState[]>;
  /**
   * Puts a snapshot in the place of the embedded database, which is kept beside it as `replaced` (`null` where there was
   * none). Throws `DataFolderInUseError` while a server runs, `UnfitSnapshotError` for one that cannot be used.
   */
  restoreSnapshot(name: string, ended: AbortSignal): Promise<{ restored: string; replaced: string | null }>;
  /**
   * Makes the filter of breached passwords from a list of hashes. Throws `UnusableListError`, and `NoInstallationError` where there
   * is no data folder.
   */
  buildBreachFilter(
    list: AsyncIterable<Uint8Array>,
    options: { atLeast: number; signal: AbortSignal },
  ): Promise<{ passwords: number; path: string }>;
  /** The filter of breached passwords; `null` without one. */
  inspectBreachFilter(): Promise<FilterFacts | null>;
  /** Whether there is a database to look at: the embedded one is made by the first start, a server's may be empty. */
  hasDatabase(): boolean;
  /** A plugin's folder as a package; sources are built first. Throws an `Error` that tells what is wrong with it. */
  packPlugin(folder: string): Promise<Uint8Array>;
  /** The tools of those who write plugins. */
  pluginTools(): Promise<PluginTools>;
};
