import { cpuUs } from "./processes.ts";

/** How long single runs took, and what each cost: processor time of this process and of the database. */
export type Repeated = { waitsMs: number[]; ownMs: number; databaseMs: number };

/** What to run: at least `least` times, then for as long as `forMs` lasts, at most `most` times. */
export type Task = {
  run(): Promise<unknown>;
  databasePids(): number[];
  least: number;
  most: number;
  forMs: number;
};

/** Runs a task again and again, one at a time. */
export const repeat = async ({ run, databasePids, least, most, forMs }: Task): Promise<Repeated> => {
  const waitsMs: number[] = [];
  const before = { own: process.cpuUsage(), database: cpuUs(databasePids()) };
  const begun = performance.now();
  while (waitsMs.length < least || (waitsMs.length < most && performance.now() - begun < forMs)) {
    const start = performance.now();
    await run();
    waitsMs.push(performance.now() - start);
  }
  const own = process.cpuUsage(before.own);
  return {
    waitsMs,
    ownMs: (own.user + own.system) / 1_000 / waitsMs.length,
    databaseMs: (cpuUs(databasePids()) - before.database) / 1_000 / waitsMs.length,
  };
};
