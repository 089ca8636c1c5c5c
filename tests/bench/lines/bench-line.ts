import type { Report } from "../report.ts";

/** How long and how often is measured; `rows` is the size of the activity log, `against` the executable of another build. */
export type BenchSettings = { rounds: number; seconds: number; rows: number; against: string | null };

/** One line of the benchmark; it tells what it found in one table or in several. */
export type BenchLine = {
  name: string;
  /** Programs that it runs; those that make the load where it names none. */
  programs?: readonly string[];
  run(settings: BenchSettings): Promise<Report | Report[]>;
};
