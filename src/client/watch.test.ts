import { expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { createEventReader } from "./event-reader.ts";
import { watch } from "./watch.ts";

const stream = (...pieces: string[]) =>
  new Response(new Blob(pieces).stream(), { headers: { "content-type": "text/event-stream" } });
const refusal = () =>
  Response.json({ success: false, code: "NOT_SIGNED_IN", message: "Please sign in" }, { status: 401 });

/** Watches what `answers` bring in turn, to the end; tells what was asked from where. */
const watchAll = async (answers: (() => Response)[]) => {
  const asked: (string | null)[] = [];
  const told: unknown[] = [];
  const url = "https://atrium.example";
  const fetch = async (_: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get("last-event-id"));
    const answer = answers.shift() ?? refusal;
    return answer();
  };
  try {
    for await (const event of watch({ url, fetch }, "/api/stream")) told.push(event);
  } catch (error) {
    return { asked, told, error };
  }
  return { asked, told, error: null };
};

test("events are told with their data, and a line that ends is opened behind the last place, comments included", async () => {
  const { asked, told, error } = await watchAll([
    () => stream("retry: 1\nid: 4\n\n", 'event: activity\nid: 5\ndata: {"a":1}\n\n', ":\nid: 7\n\n"),
    () => stream('event: gap\nid: 9\ndata: {"through":9}\n\nevent: activity\nid: 10\ndata: {"cut'),
    () => stream(": nothing that says where it is\n\n"),
  ]);
  expect(told).toEqual([
    { event: "activity", id: "5", data: { a: 1 } },
    { event: "gap", id: "9", data: { through: 9 } },
  ]);
  expect(asked).toEqual([null, "7", "9", "9"]);
  expect(error).toMatchObject({ code: "NOT_SIGNED_IN", status: 401 });
});

test("a server that is not there for the first call is not waited for, one that goes away is", async () => {
  const away = (): Response => {
    throw new TypeError("fetch failed");
  };
  expect((await watchAll([away])).error).toMatchObject({ code: "UNREACHABLE" });
  const { asked } = await watchAll([() => stream("retry: 1\nid: 3\n\n"), away, refusal]);
  expect(asked).toEqual([null, "3", "3"]);
});

test("an aborted signal ends the loop with its reason, and leaving the loop frees the line", async () => {
  const control = new AbortController();
  let isFreed = false;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (made) => made.enqueue(new TextEncoder().encode('id: 1\ndata: "x"\n\n')),
      cancel: () => {
        isFreed = true;
      },
    });
  const client = { url: "https://atrium.example", fetch: async () => new Response(body()) };
  for await (const { data } of watch(client, "/")) {
    expect(data).toBe("x");
    break;
  }
  expect(isFreed).toBe(true);
  const ended = (async () => {
    for await (const _ of watch({ ...client, fetch: async () => stream(":\n\n") }, "/", control)) break;
  })();
  control.abort(new Error("enough"));
  expect(await failureOf(ended)).toMatchObject({ message: "enough" });
});

test("a stream is read the same however it is cut, with every kind of line break", () => {
  const read = (...pieces: string[]) => {
    const reader = createEventReader("");
    return [pieces.flatMap((piece) => reader.read(piece)), reader.lastId()];
  };
  const lines = [
    ...[": hello", "event: activity", "id: 7", "data: Jürgen", "data", "data:two", ""],
    ...["data: x", "", ""],
  ];
  const events = [
    { type: "activity", data: "Jürgen\n\ntwo", id: "7" },
    { type: "message", data: "x", id: "7" },
  ];
  for (const lineBreak of ["\n", "\r\n", "\r"]) {
    const text = lines.join(lineBreak);
    // A lone carriage return at the very end could still become a line break with what follows.
    const end = lineBreak === "\r" ? ":" : "";
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(read(text.slice(0, cut), text.slice(cut), end)).toEqual([events, "7"]);
    expect(read(...text, end)).toEqual([events, "7"]);
  }
});

test("a server that wants no pause is not asked without end", async () => {
  const times = (): (() => Response) => () => stream("retry: 0\n\n");
  const begun = performance.now();
  const { asked } = await watchAll([times(), times(), times()]);
  expect(asked).toHaveLength(4);
  // Timers may fire a moment early.
  expect(performance.now() - begun).toBeGreaterThan(3 * 95);
});

test("an event that never ends is an error, in one line or in many, and is not asked for again", async () => {
  const piece = "x".repeat(100_000);
  const endless = ["id: 1\ndata: 1\n\ndata: ", ...Array(11).fill(piece)];
  for (const pieces of [endless, Array(11).fill(`data: ${piece}\n`)]) {
    const { asked, error } = await watchAll([() => stream(...pieces)]);
    expect(error).toMatchObject({ name: "AtriumError", code: "UNEXPECTED_ANSWER" });
    expect(asked).toHaveLength(1);
  }
});

test("a long line in small pieces takes no longer than its length", () => {
  const timeFor = (pieces: number): number => {
    const reader = createEventReader("");
    const begun = performance.now();
    for (let at = 0; at < pieces; at += 1) reader.read("x".repeat(10));
    return performance.now() - begun;
  };
  timeFor(1_000);
  // Searched anew with each piece, ten times the length takes a hundred times as long.
  expect(timeFor(50_000)).toBeLessThan(1_000);
});
