import type { BenchSettings } from "../lines/bench-line.ts";
import { interleave, median, quantile } from "../measure/interleave.ts";
import { type Repeated, repeat } from "../measure/repeat.ts";
import { decimal, type Report } from "../report.ts";
import type { MeasuredLog } from "./measured-log.ts";
import { type Reading, readingsOf } from "./readings.ts";

/** What reading a filled log takes, beside the same questions to its plain copy in the same database. */
export const readingReport = async (log: MeasuredLog, settings: BenchSettings): Promise<Report> => {
  const rows: string[][] = [];
  for (const reading of readingsOf(settings.rows)) {
    const [own, plain] = await measure(log, reading, settings);
    rows.push(rowOf(reading, own, plain));
  }
  return {
    title: `Reading an activity log of ${decimal(settings.rows)} rows`,
    method:
      "PostgreSQL with its default settings, but for the compilation of plans, which the product switches off for its " +
      "connections, on one core, the caller on another; one question at a time, each time with other parameters; " +
      `${settings.rounds} interleaved rounds. CPU is processor time a question, database and ` +
      "caller together. Plain is one table with names in place of kinds and five indexes by time, asked by " +
      "`order by … limit 25` and `count(*)`; the sums by plugin, type, status and severity that the product answers " +
      "with each page it is not asked for.",
    columns: [
      "",
      "p50 ms",
      "goal",
      "p99 ms",
      "goal",
      "CPU ms",
      "database",
      "plain p50",
      "plain CPU",
      "× less CPU",
    ],
    rows,
  };
};

// So many that each round has its own slowest hundredth.
const most = 200;

const measure = async (
  { ctx, handle, databasePids }: MeasuredLog,
  reading: Reading,
  { rounds, seconds }: BenchSettings,
): Promise<[Repeated[], Repeated[]]> => {
  const limits = { databasePids, most, forMs: seconds * 1_000 };
  const subjects = [
    { ask: (n: number) => reading.read(ctx, n), asked: 0, least: 20 },
    { ask: (n: number) => reading.readPlainly(handle.db, n), asked: 0, least: 1 },
  ];
  await reading.read(ctx, 0);
  const [own = [], plain = []] = await interleave(subjects, rounds, (subject) => {
    const run = () => {
      subject.asked += 1;
      return subject.ask(subject.asked);
    };
    return repeat({ ...limits, run, least: subject.least });
  });
  return [own, plain];
};

const rowOf = ({ name, goalMs }: Reading, own: Repeated[], plain: Repeated[]): string[] => {
  const waitsMs = own.flatMap((round) => round.waitsMs);
  const cpuMs = (round: Repeated | undefined) => (round ? round.ownMs + round.databaseMs : Number.NaN);
  return [
    name,
    decimal(median(waitsMs), 1),
    goalOf(goalMs.p50),
    decimal(quantile(waitsMs, 0.99), 1),
    goalOf(goalMs.p99),
    decimal(median(own.map(cpuMs)), 2),
    decimal(median(own.map(({ databaseMs }) => databaseMs)), 2),
    decimal(median(plain.flatMap((round) => round.waitsMs)), 1),
    decimal(median(plain.map(cpuMs)), 1),
    decimal(median(plain.map((round, at) => cpuMs(round) / cpuMs(own[at]))), 1),
  ];
};

const goalOf = (ms: number | null): string => (ms === null ? "" : `≤ ${ms}`);
