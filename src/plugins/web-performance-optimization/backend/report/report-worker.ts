import type { Kv } from "#plugins/sdk/types.ts";
import type { Trial } from "../answers/trial.ts";
import type { Report, ReportState } from "../wire.ts";
import { createMeasureAnswer, type Fetch, measureSwitches, totalAnswers } from "./measure-switches.ts";

/** Measures the effect of the switches: one measurement at a time per server; the last report is shared by all. */
export type ReportWorker = {
  /** Starts a measurement; `false` while one is running. */
  start(): boolean;
  /** Stops the running measurement without a report; `false` if there is none. */
  cancel(): boolean;
  state(): Promise<ReportState>;
  /** Resolves when no measurement is running. */
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

/** Creates a worker with no running measurement. */
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
      error = signal.aborted ? "The measurement was stopped before it finished." : reason;
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

/** Safe because only this file writes this key. */
const asReport = (value: unknown): Report | null => (value === undefined ? null : (value as Report));
