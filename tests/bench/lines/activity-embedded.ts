import { exportActivity } from "#api/modules/activity/export-activity.ts";
import { limits } from "#contract/limits.ts";
import { fillLog } from "../activity/fill-log.ts";
import { type MeasuredLog, openMeasuredLog } from "../activity/measured-log.ts";
import { readingsOf } from "../activity/readings.ts";
import { writeLines } from "../activity/write-lines.ts";
import { interleave, median, quantile } from "../measure/interleave.ts";
import { repeat } from "../measure/repeat.ts";
import { decimal } from "../report.ts";
import { createInstallation } from "../subjects/atrium.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine, BenchSettings } from "./bench-line.ts";

const rows = 200_000;
const mostTimes = 8;

/** An activity log in the embedded database beside the same log on PostgreSQL. */
export const activityEmbeddedLine: BenchLine = {
  name: "activity-embedded",
  run: (settings) =>
    inWorkshop(async (workshop) => {
      if (workshop.postgres === null) throw new Error("PostgreSQL is not installed (looked for initdb)");
      const logs: MeasuredLog[] = [];
      try {
        for (const place of [null, workshop.postgres]) logs.push(await openFilled(workshop, place));
        return {
          title: `An activity log of ${decimal(rows)} rows, embedded and on PostgreSQL`,
          method:
            `${settings.rounds} interleaved rounds, one question at a time; the databases have one core, the caller ` +
            "another.",
          columns: ["", "embedded p50 ms", "p99 ms", "PostgreSQL p50 ms", "p99 ms", "times", "goal"],
          rows: await measureAll(logs, settings),
        };
      } finally {
        for (const log of logs) await log.close();
      }
    }),
};

const openFilled = async ({ folder }: Workshop, place: Workshop["postgres"]): Promise<MeasuredLog> => {
  const log = await openMeasuredLog(await createInstallation(folder, place));
  await fillLog(log, rows);
  return log;
};

type Task = { name: string; run(log: MeasuredLog, n: number): Promise<unknown> };

const linesOfATask = 1_000;

const tasks: Task[] = [
  ...readingsOf(rows).map(({ name, read }) => ({
    name,
    run: ({ ctx }: MeasuredLog, n: number) => read(ctx, n),
  })),
  {
    name: "CSV of 10,000 rows",
    run: async ({ ctx }) => {
      const { pieces } = await exportActivity(ctx, { format: "csv", limit: limits.exportRows });
      for await (const _ of pieces);
    },
  },
  {
    name: `${decimal(linesOfATask)} lines written`,
    run: ({ ctx }, n) => writeLines(ctx, { seed: n, count: linesOfATask }),
  },
];

const measureAll = async (logs: MeasuredLog[], { rounds, seconds }: BenchSettings): Promise<string[][]> => {
  const found: string[][] = [];
  for (const { name, run } of tasks) {
    const results = await interleave(logs, rounds, (log) => {
      let asked = 0;
      const next = () => {
        asked += 1;
        return run(log, asked);
      };
      return repeat({
        run: next,
        databasePids: log.databasePids,
        least: 10,
        most: 100,
        forMs: seconds * 1_000,
      });
    });
    const [embedded = [], server = []] = results.map((measured) =>
      measured.flatMap(({ waitsMs }) => waitsMs),
    );
    found.push([
      name,
      decimal(median(embedded), 1),
      decimal(quantile(embedded, 0.99), 1),
      decimal(median(server), 1),
      decimal(quantile(server, 0.99), 1),
      decimal(median(embedded) / median(server), 1),
      `≤ ${mostTimes}`,
    ]);
  }
  return found;
};
