import type { Report } from "../report.ts";

/** How long and how often is measured. */
export type BenchSettings = { rounds: number; seconds: number };

/** One line of the benchmark. */
export type BenchLine = { name: string; run(settings: BenchSettings): Promise<Report> };
