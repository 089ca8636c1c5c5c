import { CliFailure } from "#cli/failure.ts";
import { snapshotTexts } from "#contract/snapshot-texts.ts";
import type { Plans } from "./plan.ts";

/** What a backup is to be: where it goes, and what locks it, such as "with a passphrase"; `null` for nothing. */
type Wish = { goal: string; lock: string | null; hasKey: boolean };

/** What making a backup would do, in words. */
export const backupText = ({ goal, lock, hasKey }: Wish): string =>
  [
    `Would back up to ${goal}`,
    lock === null ? "not encrypted" : `encrypted ${lock}`,
    `${hasKey ? "with" : "without"} the installation's key`,
  ].join(", ");

/** What locks a backup that is made for age recipients; `null` where there are none. */
export const recipientsText = (recipients: readonly string[]): string | null =>
  recipients.length === 0 ? null : `for ${recipients.join(", ")}`;

/** The plans for backups and snapshots. */
export const backupPlans: Plans<
  | "POST /api/admin/backups"
  | "PUT /api/admin/backups/schedule"
  | "DELETE /api/admin/backups/run"
  | "DELETE /api/admin/backups/:place/:name"
  | "POST /api/system/snapshots"
> = {
  "POST /api/admin/backups": async (client, { body }) => {
    const run = await client.call("GET /api/admin/backups/run");
    if (run?.state === "running") throw new CliFailure("CONFLICT", "a backup is being made at this moment");
    const { hasStorage, schedule } = await client.call("GET /api/admin/backups");
    if (body?.place === "storage" && !hasStorage)
      throw new CliFailure("CONFLICT", "no object storage is set up");
    const goal = { handover: "a file", storage: "object storage", folder: "the data folder" };
    return backupText({
      goal: goal[body?.place ?? "folder"],
      lock: recipientsText(body?.recipients ?? schedule.recipients),
      hasKey: body?.includeKey === true,
    });
  },
  "PUT /api/admin/backups/schedule": async (client, { body }) => {
    const { schedule } = await client.call("GET /api/admin/backups");
    const changes = Object.entries(body ?? {}).flatMap(([field, value]) => {
      const [before, after] = [Reflect.get(schedule, field), value].map((one) => JSON.stringify(one));
      return before === after ? [] : [`  ${field}: ${before} → ${after}`];
    });
    if (changes.length === 0) return "Would change nothing: the schedule is that already";
    return ["Would change the schedule", ...changes].join("\n");
  },
  "DELETE /api/admin/backups/run": async (client) => {
    const run = await client.call("GET /api/admin/backups/run");
    if (run?.state !== "running") throw new CliFailure("CONFLICT", "no backup is being made");
    return "Would cancel the backup that is being made";
  },
  "DELETE /api/admin/backups/:place/:name": async (_, { params }) => `Would remove ${params?.name} for good`,
  "POST /api/system/snapshots": async (client) => {
    const { database } = await client.call("GET /api/system/info");
    if (database.kind === "postgres") throw new CliFailure("CONFLICT", snapshotTexts.onlyEmbedded);
    return "Would make a snapshot; as always the newest eight are kept";
  },
};
