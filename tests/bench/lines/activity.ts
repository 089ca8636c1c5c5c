import { exportReport } from "../activity/export-report.ts";
import { fillLog } from "../activity/fill-log.ts";
import { openMeasuredLog } from "../activity/measured-log.ts";
import { fillPlainLog } from "../activity/plain-log.ts";
import { readingReport } from "../activity/reading-report.ts";
import { writingReport } from "../activity/writing-report.ts";
import { moveToAllCores, moveToMeasuredCore } from "../measure/cores.ts";
import { createInstallation } from "../subjects/atrium.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

/** The activity log on PostgreSQL: reading it beside plain queries, exporting, writing. */
export const activityLine: BenchLine = {
  name: "activity",
  run: (settings) =>
    inWorkshop(async ({ folder, postgres, keep }) => {
      if (postgres === null) throw new Error("PostgreSQL is not installed (looked for initdb)");
      const installation = await createInstallation(folder, postgres);
      const log = await openMeasuredLog(installation);
      try {
        moveToAllCores(postgres.pids());
        await fillLog(log, settings.rows, fillPlainLog);
        moveToMeasuredCore(postgres.pids());
        const reading = await readingReport(log, settings);
        const exporting = await exportReport({ folder, keep, installation, settings });
        return [reading, exporting, await writingReport(log, settings)];
      } finally {
        await log.close();
      }
    }),
};
