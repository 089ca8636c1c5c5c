import { type AnswerOf, operation } from "#contract/operation.ts";
import type { CommandGroup } from "#contract/operation-commands.ts";

/** The word of the commands about snapshots; `snapshot list` and `snapshot restore` are written by hand. */
export const snapshotsGroup: CommandGroup = {
  word: "snapshot",
  summary: "copies of the embedded database",
  description:
    "The copies that the embedded database makes of itself in the data folder: every 15 minutes in which something was " +
    "written, and before a new version changes it. They help against a spoilt database, not against a lost disk: that is " +
    "what backups are for",
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
          description: "By which `atrium snapshot restore` knows it: when it was made, in UTC",
        }),
        madeAt: kit.text(),
        sizeBytes: kit.count,
      }),
    }),
    errors: ["NOT_SIGNED_IN", "FORBIDDEN", "CROSS_ORIGIN", "CONFLICT", "DB_UNAVAILABLE", "STORAGE_FULL"],
    summary: "Make a snapshot of the embedded database",
    description:
      "For the operator, over the control socket alone: one more beside those that the database makes by itself, " +
      "for `atrium snapshot restore`. `CONFLICT` where a PostgreSQL server is used, `STORAGE_FULL` where it would " +
      "leave too little room. That it was made stands in the activity log.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        name: "create",
        summary: "make a snapshot now",
        description:
          "Makes a snapshot now, with or without a running server, which goes on serving meanwhile. As always the newest eight are " +
          "kept. With PostgreSQL there are none: use atrium backup.",
        step: "making the snapshot",
        examples: [{ summary: "Before something daring", typed: "atrium snapshot create" }],
      },
    ],
  }),
};

/** A snapshot that was made. `madeAt` is ISO 8601 in UTC. */
export type MadeSnapshot = AnswerOf<typeof snapshotsContract.create>;
