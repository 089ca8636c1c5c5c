import type { Client as Operations } from "#api/operations.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { snapshotTexts } from "#contract/snapshot-texts.ts";
import type { OperationPlan } from "./plan.ts";

/** The plans for the application's key and for snapshots. */
export const secretsPlans: {
  readonly "secrets.rotate": OperationPlan<Operations["secrets"]["rotate"]>;
  readonly "snapshots.create": OperationPlan<Operations["snapshots"]["create"]>;
} = {
  "secrets.rotate": async (client) => {
    const { fingerprint, places } = (await operationsOf(client).secrets.status()).data;
    const count = places.reduce((sum, { previous }) => sum + previous, 0);
    return `Would seal ${count} ${count === 1 ? "value" : "values"} anew under key ${fingerprint}`;
  },
  "snapshots.create": async (client) => {
    const { database } = (await operationsOf(client).system.info()).data;
    if (database.kind === "postgres") throw new CliFailure("CONFLICT", snapshotTexts.onlyEmbedded);
    return "Would make a snapshot; as always the newest eight are kept";
  },
};
