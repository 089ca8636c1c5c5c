import { implement } from "#api/core/implement.ts";
import { snapshotsContract } from "./contract.ts";
import { makeSnapshot, planSnapshot } from "./make-snapshot.ts";

/** What does the operations about snapshots. */
export const snapshotsOperations = implement("snapshots", snapshotsContract, {
  create: { run: makeSnapshot, plan: planSnapshot },
});
