import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { type ReplicaRow, saveReplica, sweepReplicas } from "./host-store.ts";

/** Tells the other servers, by way of the database, how plugins stand on this one. */
export type ReplicaRows = {
  /** Something changed: it is told soon. */
  mark(): void;
  /** Tells again what did not get through, and every half a minute that this server is there. */
  look(): Promise<void>;
  /** Takes back everything that was told: the server stops. */
  clear(): Promise<void>;
};

export type ReplicaRowsOptions = {
  db: Database;
  clock: Clock;
  log: Log;
  replica: string;
  rows: () => Omit<ReplicaRow, "replica">[];
};

const refreshMs = 30_000;

/** Begins with nothing told. Rows are written one after the other, so that the newest stays. */
export const createReplicaRows = ({ db, clock, log, replica, rows }: ReplicaRowsOptions): ReplicaRows => {
  let isDirty = false;
  let isOver = false;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    try {
      while (isDirty && !isOver) {
        isDirty = false;
        await saveReplica(
          db,
          replica,
          rows().map((row) => ({ ...row, replica })),
        );
        toldAtMs = clock.uptimeMs();
      }
    } catch (error) {
      isDirty = true;
      log.warn("the state of plugins could not be stored", { error: describeError(error) });
    }
    writing = null;
  };

  const flush = (): Promise<void> => {
    writing ??= write();
    return writing;
  };

  return {
    mark: () => {
      isDirty = true;
      if (!isOver) void flush();
    },
    look: async () => {
      const nowMs = clock.uptimeMs();
      if (nowMs - toldAtMs >= refreshMs) isDirty = true;
      if (isDirty && !isOver) await flush();
      if (nowMs - sweptAtMs < refreshMs) return;
      sweptAtMs = nowMs;
      await sweepReplicas(db);
    },
    clear: async () => {
      isOver = true;
      await writing;
      await saveReplica(db, replica, []);
    },
  };
};
