import { describe, expect, test } from "bun:test";
import type { Activity } from "#api/modules/activity/contract.ts";
import { createClient } from "#cli/client/client.ts";
import { activity, activityPage } from "#cli/testing/activity.ts";
import { refusal, success } from "#cli/testing/run.ts";
import { followActivity } from "./activity-tail.ts";

type Answer = (request: Request) => Response | Promise<Response>;

const told = (parts: Activity) => `event: activity\nid: ${parts.id}\ndata: ${JSON.stringify(parts)}\n\n`;
const gap = (through: number) => `event: gap\nid: ${through}\ndata: {"through":${through}}\n\n`;
const streamOf = (...texts: string[]) =>
  new Response(`retry: 3000\nid: 1\n\n:\nid: 1\n\n${texts.join("")}`, {
    headers: { "content-type": "text/event-stream" },
  });
const broken = (...texts: string[]) => {
  const waiting = [...texts];
  return new Response(
    new ReadableStream({
      pull: (controller) => {
        const text = waiting.shift();
        if (text === undefined) controller.error(new Error("reset"));
        else controller.enqueue(new TextEncoder().encode(text));
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
};

/** Follows the log over these answers; after the last of them it is ended. */
const follow = async (answers: Answer[], after = 3) => {
  const end = new AbortController();
  const waiting = [...answers];
  const asked: string[] = [];
  const shown: number[] = [];
  const notes: string[] = [];
  const pauses: number[] = [];
  const client = createClient({
    target: "the server",
    isServer: true,
    send: async ({ method, path, headers }) => {
      asked.push([path, headers?.["last-event-id"]].filter(Boolean).join(" after "));
      const next = waiting.shift();
      if (next) return next(new Request(`http://localhost${path}`, { method }));
      end.abort();
      return streamOf();
    },
    startPlugin: async () => {},
    close: async () => {},
  });
  await followActivity(client, {
    query: { severity: "high" },
    after,
    ended: end.signal,
    show: ({ id }) => shown.push(id),
    note: (text) => notes.push(text),
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  return { asked: asked.slice(0, answers.length), shown, notes, pauses };
};

const stream = "/api/admin/activity/stream?severity=high after";
const list = "/api/admin/activity?severity=high&limit=100";

describe("following the activity log", () => {
  test("shows each activity once, and none that was there before", async () => {
    const { asked, shown } = await follow([
      () => streamOf(...[2, 3, 4, 4, 6].map((id) => told(activity(id)))),
    ]);
    expect(shown).toEqual([4, 6]);
    expect(asked).toEqual([`${stream} 3`]);
  });

  test("takes up where it was when the stream ends, breaks off or cannot be had, ever more patiently", async () => {
    const { asked, shown, notes, pauses } = await follow([
      () => streamOf(told(activity(4))),
      () => broken(told(activity(4)), told(activity(5))),
      () => refusal(503, "SHUTTING_DOWN", "Going down"),
      () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
      () => streamOf(told(activity(6))),
    ]);
    expect(shown).toEqual([4, 5, 6]);
    expect(asked).toEqual([3, 4, 5, 5, 5].map((after) => `${stream} ${after}`));
    expect(notes).toEqual([
      "the stream from the server ended; reconnecting",
      "reconnected",
      "the stream from the server ended; reconnecting",
      "reconnected",
      "the stream from the server ended; reconnecting",
      "reconnected",
    ]);
    expect(pauses).toEqual([250, 250, 500, 1000, 250]);
  });

  test("reads again what the server left out", async () => {
    const rows = [activity(90), activity(80), activity(3), activity(2)];
    const { asked, shown, notes } = await follow([
      () => streamOf(gap(85), told(activity(90)), told(activity(91))),
      () => success(activityPage(rows, { limit: 100 })),
    ]);
    expect(asked).toEqual([`${stream} 3`, list]);
    expect(shown).toEqual([80, 90, 91]);
    expect(notes.join()).not.toContain("not shown here");
  });

  test("says so when more was skipped than it reads again, and continues with the newest", async () => {
    const pageFrom =
      (newest: number): Answer =>
      () =>
        success(
          activityPage(
            Array.from({ length: 100 }, (_, at) => activity(newest - at)),
            { limit: 100 },
          ),
        );
    const pages = Array.from({ length: 10 }, (_, at) => pageFrom(5_000 - at * 100));
    const { shown, notes } = await follow([() => streamOf(gap(5_000), told(activity(5_001))), ...pages]);
    expect(shown).toEqual(Array.from({ length: 1_001 }, (_, at) => 4_001 + at));
    expect(notes[0]).toContain("not shown here");
  });

  test("continues in a log that was replaced by an older one", async () => {
    const { shown, notes } = await follow([() => streamOf(gap(2), told(activity(3)))], 900);
    expect(shown).toEqual([3]);
    expect(notes[0]).toContain("restored");
  });

  test("ends with what does not pass: a refusal", async () => {
    const refuse = () => refusal(403, "FORBIDDEN", "You are not allowed to do this");
    await expect(follow([refuse])).rejects.toThrow("not allowed");
  });
});
