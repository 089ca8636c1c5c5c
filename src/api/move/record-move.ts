import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { Database } from "#api/db/database.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import type { MovePlan } from "./move-parts.ts";

/** Who records, and the move that was made. */
export type MoveRecord = {
  db: Database;
  box: SecretBox;
  clock: Clock;
  log: Log;
  plan: Pick<MovePlan, "from" | "to" | "rows">;
};

/** Leaves a row about the move for the activity log of the database that the data has come to. */
export const recordMove = async ({ db, box, clock, log, plan }: MoveRecord): Promise<void> => {
  const events = { publish: () => {}, subscribe: () => () => {}, isConnected: true };
  const { desk } = createActivityWriter({ db, clock, log, box, events });
  const { from, to, rows } = plan;
  const description = `Moved ${rows} rows from the embedded database in ${from.dataDir} to ${to.address} (PostgreSQL ${to.version})`;
  await db.transaction((tx) =>
    desk.record(tx, {
      entry: { type: "admin_action", severity: "high", action: "Moved to PostgreSQL", description },
      source: { actor: { kind: "operator" }, requestId: null, ip: "local", userAgent: null },
      at: clock.now(),
    }),
  );
};
