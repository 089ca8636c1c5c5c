import type { Client as Operations } from "#api/operations.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import type { OperationPlan } from "./plan.ts";

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

type Backups = Operations["backups"];

/** The plans for backups. */
export const backupPlans: {
  readonly "backups.create": OperationPlan<Backups["create"]>;
  readonly "backups.cancel": OperationPlan<Backups["cancel"]>;
  readonly "backups.remove": OperationPlan<Backups["remove"]>;
} = {
  "backups.create": async (client, { place = "folder", recipients, includeKey = false }) => {
    const { backups } = operationsOf(client);
    if ((await backups.progress()).data?.state === "running")
      throw new CliFailure("CONFLICT", "a backup is being made at this moment");
    const { hasStorage, schedule } = (await backups.list()).data;
    if (place === "storage" && !hasStorage) throw new CliFailure("CONFLICT", "no object storage is set up");
    const goal = { handover: "a file", storage: "object storage", folder: "the data folder" };
    const lock = recipientsText(recipients ?? schedule.recipients);
    return backupText({ goal: goal[place], lock, hasKey: includeKey });
  },
  "backups.cancel": async (client) => {
    const { data: run } = await operationsOf(client).backups.progress();
    if (run?.state !== "running") throw new CliFailure("CONFLICT", "no backup is being made");
    return "Would cancel the backup that is being made";
  },
  "backups.remove": async (_, { name }) => `Would remove ${name} for good`,
};
