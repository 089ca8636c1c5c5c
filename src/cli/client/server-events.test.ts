import { describe, expect, test } from "bun:test";
import { createEventReader, readEvents, type ServerEvent } from "./server-events.ts";

const eventsOf = (...pieces: string[]): ServerEvent[] => {
  const reader = createEventReader();
  return pieces.flatMap((piece) => reader.read(piece));
};

describe("a stream of server-sent events", () => {
  test("is read as type, data and id; a space behind the colon is not part of the value", () => {
    expect(eventsOf('event: activity\nid: 7\ndata: {"id":7}\n\ndata:  two\n\n')).toEqual([
      { type: "activity", data: '{"id":7}', id: "7" },
      { type: "message", data: " two", id: "7" },
    ]);
  });

  test("means the same wherever it is cut, with every kind of line break", () => {
    const lines = [
      ": hello",
      "event: activity",
      "id: 7",
      "data: Jürgen",
      "data",
      "data: two",
      "",
      "data: x",
      "",
      "",
    ];
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      const text = lines.join(lineBreak);
      // A lone carriage return at the very end could still become a line break with what follows.
      const end = lineBreak === "\r" ? ":" : "";
      const whole = eventsOf(text, end);
      expect(whole).toEqual([
        { type: "activity", data: "Jürgen\n\ntwo", id: "7" },
        { type: "message", data: "x", id: "7" },
      ]);
      for (let cut = 0; cut <= text.length; cut += 1)
        expect(eventsOf(text.slice(0, cut), text.slice(cut), end)).toEqual(whole);
      expect(eventsOf(...text, end)).toEqual(whole);
    }
  });

  test("comments, unknown fields and events without data are none; an id alone counts for the next", () => {
    expect(eventsOf(": waiting\n\nretry: 10\n\nevent: gap\n\nid: 9\n\ndata: x\n\n")).toEqual([
      { type: "message", data: "x", id: "9" },
    ]);
  });

  test("an event that the end cuts off is dropped, and an id with a NUL ignored", () => {
    expect(eventsOf("id: 1\0\ndata: a\n\nid: 2\ndata: half\n")).toEqual([
      { type: "message", data: "a", id: "" },
    ]);
  });

  test("is decoded across chunks that cut a character, behind a byte order mark", async () => {
    const bytes = new TextEncoder().encode("\uFEFFdata: 密码\n\n");
    const body = async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte);
    };
    expect(await Array.fromAsync(readEvents(body()))).toEqual([{ type: "message", data: "密码", id: "" }]);
  });
});

test("an event that never ends is an error, in one line or in many, and costs no more than its length", () => {
  const piece = "x".repeat(10);
  const begun = performance.now();
  expect(eventsOf(...Array(50_000).fill(piece))).toEqual([]);
  // Searched anew with each piece it would take minutes.
  expect(performance.now() - begun).toBeLessThan(2_000);
  const [long, tooLong] = ["x".repeat(900_000), "x".repeat(1_100_000)];
  expect(eventsOf(`data: ${long}`, "\n\n")).toHaveLength(1);
  expect(() => eventsOf(tooLong)).toThrow("more than 1 MB");
  expect(() => eventsOf(`data: ${long}\n`, `data: ${long}\n`)).toThrow("more than 1 MB");
});
