import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type PinnedRequest, sendPinned } from "./create-outbound.ts";

let server: Bun.Server<undefined>;
let base: Omit<PinnedRequest, "url">;

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/large") return new Response("x".repeat(2_000));
      if (pathname === "/slow") await Bun.sleep(5_000);
      if (pathname === "/moved") return Response.redirect("http://127.0.0.1:1/", 302);
      return Response.json({
        host: request.headers.get("host"),
        method: request.method,
        body: await request.text(),
        word: request.headers.get("x-word"),
      });
    },
  });
  base = {
    target: { address: "127.0.0.1", family: 4 },
    method: "GET",
    headers: { "x-word": "a" },
    body: null,
    deadlineMs: 2_000,
    mostBytes: 1_000,
  };
});
afterAll(() => server.stop(true));

const url = (path: string) => new URL(`http://not-looked-up.example:${server.port}${path}`);

describe("a pinned request", () => {
  test("goes to the given address and still names the host", async () => {
    const answer = await sendPinned({ ...base, url: url("/"), method: "POST", body: Buffer.from("é") });
    expect(answer.status).toBe(200);
    expect(JSON.parse(new TextDecoder().decode(answer.body))).toEqual({
      host: `not-looked-up.example:${server.port}`,
      method: "POST",
      body: "é",
      word: "a",
    });
  });

  test("hands a redirect back instead of following it", async () => {
    const answer = await sendPinned({ ...base, url: url("/moved") });
    expect(answer).toMatchObject({ status: 302, headers: { location: "http://127.0.0.1:1/" } });
  });

  test("ends when the response is too large, too late or none", async () => {
    await expect(sendPinned({ ...base, url: url("/large") })).rejects.toMatchObject({ fault: "large" });
    await expect(sendPinned({ ...base, url: url("/slow"), deadlineMs: 100 })).rejects.toMatchObject({
      fault: "slow",
    });
    await expect(sendPinned({ ...base, url: new URL("http://a.example:1/") })).rejects.toMatchObject({
      fault: "unreachable",
    });
  });
});
