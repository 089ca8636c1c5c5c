import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { arriving } from "../testing/arriving.ts";
import { chooseCoding, compressAnswer } from "./compress-answer.ts";

const rows = Array.from({ length: 60 }, (_, at) => ({ id: at, name: `Person ${at}`, role: "user" }));
const text = JSON.stringify({ success: true, data: rows });
const json = { "content-type": "application/json" };
const answer = (headers: Record<string, string> = json, status = 200) =>
  new Response(text, { status, headers });
const browser = { "accept-encoding": "gzip, deflate, br, zstd" };

describe("a response is sent in the encoding that the client prefers", () => {
  const unpack = {
    zstd: zstdDecompressSync,
    br: brotliDecompressSync,
    gzip: gunzipSync,
  };
  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["*", "zstd"],
    ["zstd;q=0, br;q=0.5, gzip;q=0.9", "gzip"],
    ["ZSTD;Q=0.1", "zstd"],
  ] as const)("%s: %s", async (accepted, coding) => {
    const packed = await compressAnswer(arriving("/api/things", { "accept-encoding": accepted }), answer());
    expect(packed?.headers.get("content-encoding")).toBe(coding);
    const bytes = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(bytes.byteLength).toBeLessThan(text.length / 2);
    expect(unpack[coding](bytes).toString()).toBe(text);
  });

  test.each(["", "identity", "deflate", "zstd;q=0", "*;q=0", "identity;q=1, gzip;q=0.5"])(
    "none for %p",
    (accepted) => {
      expect(chooseCoding(accepted)).toBeNull();
    },
  );

  test("a large response is compressed off the event loop", async () => {
    const large = JSON.stringify(Array.from({ length: 4_000 }, () => rows[0]));
    const packed = await compressAnswer(
      arriving("/api/things", browser),
      new Response(large, { headers: json }),
    );
    const bytes = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(zstdDecompressSync(bytes).toString()).toBe(large);
  });
});

describe("not compressed:", () => {
  test.each<[string, Response]>([
    ["responses that set a cookie", answer({ ...json, "set-cookie": "sid=1" })],
    ["event streams", answer({ "content-type": "text/event-stream" })],
    ["streamed tables", answer({ "content-type": "text/csv; charset=utf-8" })],
    ["streamed lines", answer({ "content-type": "application/x-ndjson" })],
    ["compressed responses", answer({ ...json, "content-encoding": "br" })],
    ["partial responses", answer({ ...json, "content-range": "bytes 0-9/100" }, 206)],
    ["images", answer({ "content-type": "image/png" })],
    ["packages", answer({ "content-type": "application/zip" })],
    ["responses with no-transform", answer({ ...json, "cache-control": "public, no-transform" })],
    ["responses without a body", new Response(null, { status: 304, headers: json })],
  ])("%s", async (_title, response) => {
    expect(await compressAnswer(arriving("/api/things", browser), response)).toBeUndefined();
  });

  test("less than 1 KB", async () => {
    const small = new Response("x".repeat(1_023), { headers: json });
    const sent = await compressAnswer(arriving("/api/things", browser), small);
    expect(sent?.headers.get("content-encoding")).toBeNull();
    expect(await sent?.text()).toBe("x".repeat(1_023));
  });

  test("less than 1 KB, including headers", async () => {
    const headers = { ...json, vary: "cookie" };
    for (const length of [{}, { "content-length": "1023" }]) {
      const small = new Response("x".repeat(1_023), { headers: { ...headers, ...length } });
      const sent = (await compressAnswer(arriving("/api/things", browser), small)) ?? small;
      expect(sent.headers.get("vary")).toBe("cookie");
    }
  });

  test("responses that compression does not shrink, including the longer headers", async () => {
    const noise = crypto.getRandomValues(new Uint8Array(780)).toBase64();
    const dense = Array.from({ length: 1_100 }, (_, at) =>
      String.fromCharCode(33 + ((at * 7_919 + (at >> 3) * 31) % 90)),
    );
    for (const body of [noise, dense.join("")]) {
      const sent = await compressAnswer(
        arriving("/api/things", browser),
        new Response(body, { headers: json }),
      );
      const bytes = (await sent?.bytes())?.byteLength ?? 0;
      const head = sent?.headers.has("content-encoding") ? 48 : 0;
      expect(bytes + head).toBeLessThanOrEqual(body.length);
    }
    const raw = crypto.getRandomValues(new Uint8Array(2_000));
    const sent = await compressAnswer(arriving("/api/things", browser), new Response(raw, { headers: json }));
    expect(sent?.headers.get("content-encoding")).toBeNull();
    expect(await sent?.bytes()).toEqual(raw);
  });

  test("range requests", async () => {
    const request = arriving("/api/things", { ...browser, range: "bytes=0-9" });
    expect(await compressAnswer(request, answer())).toBeUndefined();
  });
});

describe("the length of a response reveals no secret:", () => {
  const cookie = { ...browser, cookie: "sid=1" };
  test.each<[string, Record<string, string>, string | null]>([
    ["our own page, signed in", { ...cookie, "sec-fetch-site": "same-origin" }, "zstd"],
    ["another site, signed in", { ...cookie, "sec-fetch-site": "cross-site" }, null],
    ["a sibling site, signed in", { ...cookie, "sec-fetch-site": "same-site" }, null],
    ["a typed URL, signed in", { ...cookie, "sec-fetch-site": "none" }, null],
    ["an unknown origin, signed in", cookie, null],
    ["another site, not signed in", { ...browser, "sec-fetch-site": "cross-site" }, "zstd"],
    ["a program with a token", { ...browser, authorization: "Bearer atr_x" }, "zstd"],
  ])("%s", async (_title, headers, coding) => {
    const packed = await compressAnswer(arriving("/api/things", headers), answer());
    expect(packed?.headers.get("content-encoding") ?? null).toBe(coding);
  });

  test("the response to a write is never compressed", async () => {
    const request = arriving("/api/things", browser, { method: "POST" });
    expect(await compressAnswer(request, answer())).toBeUndefined();
  });
});

test("Vary names what a response depends on, and its entity tag becomes weak", async () => {
  const packed = await compressAnswer(
    arriving("/api/things", browser),
    answer({ ...json, vary: "Cookie", etag: '"abc"', "content-length": String(text.length) }),
  );
  expect(packed?.headers.get("vary")).toBe("cookie, accept-encoding");
  expect(packed?.headers.get("etag")).toBe('W/"abc"');
  expect(packed?.headers.get("content-length")).toBeNull();
  const plain = answer();
  await compressAnswer(arriving("/api/things"), plain);
  expect(plain.headers.get("vary")).toBe("accept-encoding");
});

test("a slow response is sent in pieces, complete and in order", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(new TextEncoder().encode("first "));
      await gate.promise;
      controller.enqueue(new TextEncoder().encode("second"));
      controller.close();
    },
  });
  const sent = await compressAnswer(arriving("/api/things", browser), new Response(slow, { headers: json }));
  gate.resolve();
  expect(sent?.headers.get("content-encoding")).toBeNull();
  expect(await sent?.text()).toBe("first second");
});
