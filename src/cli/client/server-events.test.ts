import { describe, expect, test } from "bun:test";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";

const eventsOf = (text: string | readonly string[]): Promise<ServerEvent[]> =>
  Array.fromAsync(
    readEvents(
      (async function* () {
        for (const piece of typeof text === "string" ? [text] : text) yield new TextEncoder().encode(piece);
      })(),
    ),
  );

describe("a stream of server-sent events", () => {
  test("is read as type, data and id; a space behind the colon is not part of the value", async () => {
    expect(await eventsOf('event: activity\nid: 7\ndata: {"id":7}\n\ndata:  two\n\n')).toEqual([
      { type: "activity", data: '{"id":7}', id: "7" },
      { type: "message", data: " two", id: "7" },
    ]);
  });

  test("comments, unknown fields and events without data are none; an id alone counts for the next", async () => {
    expect(await eventsOf(": waiting\n\nretry: 10\n\nevent: gap\n\nid: 9\n\ndata: x\n\n")).toEqual([
      { type: "message", data: "x", id: "9" },
    ]);
  });

  test("an event that the end cuts off is dropped, and an id with a NUL ignored", async () => {
    expect(await eventsOf("id: 1\0\ndata: a\n\nid: 2\ndata: half\n")).toEqual([
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

  test("ends as too large with an event that never ends, in one line or in many", async () => {
    const [long, tooLong] = ["x".repeat(900_000), "x".repeat(1_100_000)];
    expect(await eventsOf(`data: ${long}\n\n`)).toHaveLength(1);
    const tooLarge = { kind: "PAYLOAD_TOO_LARGE", message: "the stream contains an event of more than 1 MB" };
    await expect(eventsOf(tooLong)).rejects.toMatchObject(tooLarge);
    await expect(eventsOf([`data: ${long}\n`, `data: ${long}\n`])).rejects.toMatchObject(tooLarge);
  });

  test("an event that never ends costs no more than its length", async () => {
    const processorMs = startProcessorTime();
    expect(await eventsOf(Array(50_000).fill("x".repeat(10)))).toEqual([]);
    // Searched anew with each piece it would take several seconds.
    expect(processorMs()).toBeLessThan(1_000);
  });
});
