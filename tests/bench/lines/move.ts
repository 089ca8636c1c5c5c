import { beginLoad, finishLoad } from "#api/db/transfer/load-tables.ts";
import { copyTables } from "#api/move/copy-tables.ts";
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
        let sent = 0;
        const load = await beginLoad(target, { how: "Measure again." });
        const expected = await copyTables({
          source: source.handle,
          target,
          load,
          ended: new AbortController().signal,
          onPart: ({ bytes }) => {
            sent += bytes.length;
          },
        });
        const copied = performance.now();
        await finishLoad(target, load, { expected });
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
