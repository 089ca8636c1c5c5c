import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activity, activityPage } from "#cli/testing/activity.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

let folder: string;
let calls: Request[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atrium-tail-"));
  calls = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const newest = [activity(12), activity(11, { status: "failure", description: "\u001b[31m" })];

/** A server on the data folder whose stream brings the activities 13 and 14; then the command is interrupted. */
const tail = async (argv: string[] = [], world: World = {}) => {
  const interrupt = new AbortController();
  const line = (id: number) =>
    `event: activity\nid: ${id}\ndata: ${JSON.stringify(activity(id, { action: `No. ${id}` }))}\n\n`;
  const stream = () =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(`retry: 3000\n\n${line(13)}${line(14)}`));
      },
      cancel: () => {},
    });
  const server = Bun.serve({
    unix: join(folder, "control.sock"),
    fetch: (request) => {
      calls.push(request.clone());
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.endsWith("/health")) return success({});
      if (pathname.endsWith("/stream"))
        return new Response(stream(), { headers: { "content-type": "text/event-stream" } });
      const rows = newest.slice(0, Number(searchParams.get("limit")));
      return success(activityPage(rows, { limit: rows.length }));
    },
  });
  try {
    const outcome = await run(["activity", "tail", "--data-dir", folder, ...argv], {
      interrupt: interrupt.signal,
      onOut: (text) => text.includes("No. 14") && interrupt.abort(),
      ...world,
    });
    return { ...outcome, calls };
  } finally {
    await server.stop(true);
  }
};

const idsIn = (out: string): number[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);

describe("activity tail", () => {
  test("shows the newest, the oldest of them first, then what comes, until Ctrl-C, which is no failure", async () => {
    const outcome = await tail(["-n", "2", "--severity", "high"]);
    expect([outcome.code, outcome.err, idsIn(outcome.out)]).toEqual([0, "", [11, 12, 13, 14]]);
    expect((await callsOf(outcome)).slice(1)).toEqual([
      "GET /api/admin/activity?limit=1",
      "GET /api/admin/activity?severity=high&limit=2",
      "GET /api/admin/activity/stream?severity=high",
    ]);
    expect(outcome.calls.at(-1)?.headers.get("last-event-id")).toBe("12");
  });

  test("begins with none if asked so", async () => {
    const outcome = await tail(["-n", "0"]);
    for (const line of outcome.out.trimEnd().split("\n")) await fitsSchema("activity tail", line);
    expect(idsIn(outcome.out)).toEqual([13, 14]);
    expect((await callsOf(outcome)).slice(1)).toEqual([
      "GET /api/admin/activity?limit=1",
      "GET /api/admin/activity/stream",
    ]);
  });

  test("on a terminal shows words that do not steer it; --ndjson stays JSON", async () => {
    const { out } = await tail(["-n", "2"], { isTerminal: true });
    const [first = ""] = Bun.stripANSI(out).split("\n");
    expect(first).toBe(
      "2026-11-20 18:40:12Z  high      failure  core admin_action  Disabled a user: \ufffd[31m (ada@example.com in 1.25s)",
    );
    expect(out).toContain("\u001b[31mfailure\u001b[0m");
    expect(idsIn((await tail(["-n", "2", "--ndjson"], { isTerminal: true })).out)).toEqual([11, 12, 13, 14]);
  });

  test("ends quietly when its reader has gone", async () => {
    const outcome = await tail(["-n", "2"], { reads: 3 });
    expect([outcome.code, outcome.err, idsIn(outcome.out)]).toEqual([0, "", [11, 12, 13]]);
    const early = await tail(["-n", "2"], { reads: 1 });
    expect([early.code, idsIn(early.out)]).toEqual([0, [11]]);
  });

  test("without a server shows the newest and ends with 3, since nothing new can come", async () => {
    const outcome = await run(["activity", "tail"], { answer: () => success(activityPage(newest)) });
    expect([outcome.code, idsIn(outcome.out), outcome.isClosed]).toEqual([3, [11, 12], true]);
    expect(outcome.err).toContain(
      "no server is running on the data folder /nonexistent/atrium, so there is nothing to follow",
    );
  });

  test.each(["-1", "10001", "x"])("takes no -n %s", async (lines) => {
    const outcome = await run(["activity", "tail", "-n", lines]);
    expect([outcome.code, outcome.calls]).toEqual([2, []]);
  });
});
