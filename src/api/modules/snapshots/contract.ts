import { type AnswerOf, type CommandGroup, operation } from "#contract/operation.ts";

/** The word of the commands about snapshots; `snapshot list` and `snapshot restore` are written by hand. */
export const snapshotsGroup: CommandGroup = {
  word: "snapshot",
  summary: "copies of the embedded database",
  description:
    "Copies of the embedded database in the data folder, made automatically every 15 minutes if something was written, and before a new version changes the database. They protect against a damaged database, not against a lost disk: use backups for that",
};

/** What can be done about snapshots of the embedded database, on the operator's socket alone. */
export const snapshotsContract = {
  create: operation("POST /api/system/snapshots", {
    access: "operator",
    proof: "none",
    tag: "System",
    changes: true,
    mayTakeLong: true,
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        name: kit.text({
          description: "The name for `atrium snapshot restore`: when the snapshot was made, in UTC",
        }),
        madeAt: kit.text(),
        sizeBytes: kit.count,
      }),
    }),
    errors: ["CONFLICT"],
    summary: "Make a snapshot of the embedded database",
    description:
      "For the operator, over the control socket only: creates a snapshot in addition to the automatic ones, for `atrium snapshot restore`. `CONFLICT` if a PostgreSQL server is used, `STORAGE_FULL` if it would leave too little disk space. Recorded in the activity log.",
    commands: [
      {
        name: "create",
        summary: "make a snapshot now",
        description:
          "Makes a snapshot now, whether or not a server is running; a running server stays available. The newest eight are kept, as always. Not available with PostgreSQL: use atrium backup.",
        step: "making the snapshot",
        examples: [{ summary: "Before a risky change", typed: "atrium snapshot create" }],
      },
    ],
  }),
};

/** A snapshot that was made. `madeAt` is ISO 8601 in UTC. */
export type MadeSnapshot = AnswerOf<typeof snapshotsContract.create>;
