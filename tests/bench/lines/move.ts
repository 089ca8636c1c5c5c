import { dumpInstallation } from "#api/backups/dump.ts";
import { loadDump } from "#api/backups/load.ts";
import { systemClock } from "#api/core/clock.ts";
import { beginLoad } from "#api/db/transfer/load-tables.ts";
import { fillLog } from "../activity/fill-log.ts";
import { openMeasuredLog } from "../activity/measured-log.ts";
import { decimal, megabytes } from "../report.ts";
import { createInstallation } from "../subjects/atrium.ts";
import { createMoveTarget } from "../subjects/move-target.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const rows = 200_000;

/** All data of an installation, brought from the embedded database to a PostgreSQL server. */
export const moveLine: BenchLine = {
  name: "move",
  run: () =>
    inWorkshop(async ({ folder, postgres }) => {
      if (postgres === null) throw new Error("PostgreSQL is not installed (looked for initdb)");
      const source = await openMeasuredLog(await createInstallation(folder, null));
      const target = await createMoveTarget(postgres);
      try {
        await fillLog(source, rows);
        const begun = performance.now();
        let [sent, copied] = [0, 0];
        const load = await beginLoad(target, { how: "Measure again." });
        const dump = await dumpInstallation({ handle: source.handle, clock: systemClock, key: null });
        await loadDump({
          target,
          load,
          dump,
          onProgress: ({ readBytes, step }) => {
            sent = readBytes;
            if (step !== null && copied === 0) copied = performance.now();
          },
        });
        const copyMs = copied - begun;
        const finishMs = performance.now() - copied;
        return {
          title: `An installation with ${decimal(rows)} activities, moved to PostgreSQL`,
          method: `One run, both databases on one core and the command on another; ${megabytes(sent)} of rows.`,
          columns: ["", "s", "rows/s", "goal rows/s"],
          rows: [
            ["copying", decimal(copyMs / 1000, 1), decimal((rows / copyMs) * 1000), "30,000"],
            [
              "counting, indexes, statistics",
              decimal(finishMs / 1000, 1),
              decimal((rows / finishMs) * 1000),
              "",
            ],
          ],
        };
      } finally {
        await target.close();
        await source.close();
      }
    }),
};
