import { describe, expect, test } from "bun:test";
import { createTrial, trialHeader } from "../answers/trial.ts";
import { createFakeKv } from "../testing/fake-kv.ts";
import type { SwitchName } from "../wire.ts";
import {
  LimitReached,
  type MeasureAnswer,
  measureSwitches,
  median,
  totalAnswers,
} from "./measure-switches.ts";
import { createReportWorker } from "./report-worker.ts";

const sample = (bytes: number, ms: number, headers = {}) => ({
  bytes,
  ms,
  headers: new Headers(headers),
  status: 200,
});

test("each switch is measured off and on alternately, and each path has the medians of both", async () => {
  const asked: [string, SwitchName | null][] = [];
  const measure: MeasureAnswer = async ({ path }, only) => {
    asked.push([path, only]);
    return only === null ? sample(1_000, 5) : sample(400, 2);
  };
  const { switches, notes } = await measureSwitches({ measure, now: () => 0, progress: () => {} });
  const compression = switches.find(({ name }) => name === "compression");
  expect(compression?.rows[0]).toEqual({
    path: "/",
    off: { bytes: 1_000, ms: 5 },
    on: { bytes: 400, ms: 2 },
  });
  expect(asked.slice(0, 6).map(([, only]) => only)).toEqual([
    null,
    "compression",
    null,
    "compression",
    null,
    "compression",
  ]);
  expect(notes).toEqual([]);
});

test("a visitor who comes back within the lifetime sends no request", async () => {
  const revisits: string[] = [];
  const measure: MeasureAnswer = async (_address, _only, more = {}) => {
    if (more["if-none-match"] !== undefined) revisits.push(more["if-none-match"]);
    return sample(300, 1, { etag: '"a"' });
  };
  const { switches } = await measureSwitches({ measure, now: () => 0, progress: () => {} });
  const lifetimes = switches.find(({ name }) => name === "cacheLifetimes");
  expect(lifetimes?.rows[0]).toMatchObject({ off: { bytes: 300 }, on: { bytes: 0, ms: 0 } });
  expect(new Set(revisits)).toEqual(new Set(['"a"']));
});

test("where nothing changes, the report says so", async () => {
  const measure: MeasureAnswer = async () => sample(1_000, 2);
  const { switches } = await measureSwitches({ measure, now: () => 0, progress: () => {} });
  const noteOf = (name: SwitchName) => switches.find((one) => one.name === name)?.note;
  expect(noteOf("responseCache")).toContain("almost no difference");
  expect(noteOf("responseCache")).toContain("Headers grow");
  expect(noteOf("compression")).toContain("below 1 KB are left unchanged");
  expect(noteOf("compression")).toContain("nothing changes for them");
  expect(noteOf("prefetch")).toContain("responses don't change");
});

test("endpoints are skipped, and the report says so, before the rate limit is reached", async () => {
  let calls = 0;
  const measure: MeasureAnswer = async ({ path }) => {
    if (!path.startsWith("/api/") && !path.startsWith("/swagger")) return sample(1, 1);
    calls += 1;
    if (calls > 40) throw new LimitReached();
    return sample(1, 1, { RateLimit: `"core";r=${40 - calls};t=900` });
  };
  const { notes } = await measureSwitches({ measure, now: () => 0, progress: () => {} });
  expect(notes).toHaveLength(1);
  expect(calls).toBeLessThan(30);
});

test("the median is the middle of the sorted numbers", () => {
  expect([median([]), median([3]), median([9, 1]), median([9, 1, 100])]).toEqual([0, 3, 5, 9]);
});

describe("a measurement", () => {
  const stage = (answer: (request: Request) => Promise<Response>) => {
    const now = () => 0;
    const kv = createFakeKv(now);
    const trial = createTrial(now);
    const send = (url: string, init: RequestInit) => answer(new Request(url, init));
    const worker = createReportWorker({
      kv,
      origin: "http://localhost:1",
      trial,
      now,
      fetch: send,
    });
    return { worker, trial };
  };
  const honest = async ({ headers }: Request) =>
    new Response("fine", { headers: { [trialHeader]: headers.get(trialHeader)?.split(" ")[1] ?? "" } });

  test("runs once at a time, and its report is kept", async () => {
    const { worker, trial } = stage(honest);
    expect(worker.start()).toBe(true);
    expect(worker.start()).toBe(false);
    expect(await worker.state()).toMatchObject({ isRunning: true, report: null });
    await worker.settled();
    const { isRunning, done, error, report } = await worker.state();
    expect({ isRunning, done, error }).toEqual({ isRunning: false, done: totalAnswers(), error: null });
    expect(report?.switches).toHaveLength(5);
    expect(trial.isOpen).toBe(false);
  });

  test("that is stopped leaves the last report and no switch in trial", async () => {
    const gate = Promise.withResolvers<Response>();
    const { worker, trial } = stage(({ signal }) => {
      signal.addEventListener("abort", () => gate.reject(signal.reason));
      return gate.promise;
    });
    worker.start();
    expect(worker.cancel()).toBe(true);
    await worker.settled();
    expect(await worker.state()).toMatchObject({
      isRunning: false,
      error: "The measurement was stopped before it finished.",
      report: null,
    });
    expect(trial.isOpen).toBe(false);
    expect(worker.cancel()).toBe(false);
  });

  test.each<[string, () => Promise<Response>, string]>([
    ["another server answers", async () => new Response("fine"), "Another server responds"],
    [
      "nothing answers",
      async () => Promise.reject(new Error("refused")),
      "could not be reached from this server: refused",
    ],
    ["a page fails", async () => new Response("no", { status: 500 }), "responded with status 500"],
  ])("reports why it failed: %s", async (_title, answer, words) => {
    const { worker } = stage(answer);
    worker.start();
    await worker.settled();
    expect((await worker.state()).error).toContain(words);
  });
});
