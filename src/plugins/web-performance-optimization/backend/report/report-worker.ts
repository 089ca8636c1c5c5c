import type { Kv } from "#plugins/sdk/types.ts";
import type { Trial } from "../answers/trial.ts";
import type { Report, ReportState } from "../wire.ts";
import { createMeasureAnswer, type Fetch, measureSwitches, totalAnswers } from "./measure-switches.ts";

/** The measurement of what switches do: one at a time on a server, its last report kept for all of them. */
export type ReportWorker = {
  /** Begins a measurement; `false` while one is under way. */
  start(): boolean;
  /** Ends it without a report; `false` where there is none. */
  cancel(): boolean;
  state(): Promise<ReportState>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
};

const key = "report";

type ReportWorkerOptions = {
  kv: Pick<Kv, "get" | "set">;
  origin: string;
  trial: Trial;
  now: () => number;
  fetch: Fetch;
};

/** Begins with nothing under way. */
export const createReportWorker = ({
  kv,
  origin,
  trial,
  now,
  fetch: send,
}: ReportWorkerOptions): ReportWorker => {
  let abort: AbortController | null = null;
  let running: Promise<void> = Promise.resolve();
  let done = 0;
  let error: string | null = null;

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const measure = createMeasureAnswer({ origin, secret: trial.open(), fetch: send, signal });
      const report = await measureSwitches({
        now,
        measure,
        progress: (count) => {
          done = count;
        },
      });
      await kv.set(key, report);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      error = signal.aborted ? "It was ended before it was done." : reason;
    } finally {
      trial.close();
      abort = null;
    }
  };

  return {
    start: () => {
      if (abort !== null) return false;
      abort = new AbortController();
      done = 0;
      error = null;
      running = run(abort.signal);
      return true;
    },
    cancel: () => {
      if (abort === null) return false;
      abort.abort();
      return true;
    },
    state: async () => ({
      isRunning: abort !== null,
      done,
      total: totalAnswers(),
      error,
      report: asReport(await kv.get(key)),
    }),
    settled: () => running,
  };
};

/** What is stored under this key was written here. */
const asReport = (value: unknown): Report | null => (value === undefined ? null : (value as Report));
