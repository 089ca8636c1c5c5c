import type { AppError } from "#api/core/app-error.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import type { QueryStats } from "./postgres/query-counter.ts";
import type { Snapshots } from "./snapshots/create-snapshots.ts";

/** The open database: queries go to `db`, the rest is what only those who run the server need. */
export type DatabaseHandle = {
  db: Database;
  /** For the short reads that most requests begin with. */
  lookups: Database;
  kind: "postgres" | "embedded";
  /** Throws `DB_UNAVAILABLE` when no query gets through, after three seconds at most. */
  check(): Promise<void>;
  describe(): Promise<{ version: string; sizeBytes: number }>;
  /** Why writes would fail now (free space below the mark, engine restarting), or `null`. Asked before each write. */
  writeObstacle(): AppError | null;
  /**
   * Hears what is sent to a channel, over reconnects, until the returned function is called. `onState` tells when
   * messages begin and cease to arrive; between the two some may have been missed. PostgreSQL only.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onState: (isConnected: boolean) => void,
  ): Promise<() => Promise<void>>;
  /** Sends to all who listen, at most 8,000 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Runs `work` while no one else, in this process or a replica, runs any; its statements may take five minutes. `onWait` is called
   * about once a second while another process does.
   */
  exclusively<T>(work: (db: DatabasePool) => Promise<T>, onWait?: (waitedMs: number) => void): Promise<T>;
  /** Makes consistent copies while it serves; `null` for a server, which has its own means. */
  snapshots: Snapshots | null;
  /** Statistics of its statements, once they are counted. */
  readonly queries: QueryStats;
  /** Its connections from this process, and how many there may be. */
  connections(): { open: number; most: number };
  /** The embedded database's own process, and how often it was started again; `null` on a server. */
  child(): { pid: number | null; restarts: number } | null;
  close(): Promise<void>;
};
