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

describe("an answer is sent in the coding that its reader likes best", () => {
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

  test("a large one, too, beside the event loop", async () => {
    const large = JSON.stringify(Array.from({ length: 4_000 }, () => rows[0]));
    const packed = await compressAnswer(
      arriving("/api/things", browser),
      new Response(large, { headers: json }),
    );
    const bytes = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(zstdDecompressSync(bytes).toString()).toBe(large);
  });
});

describe("left as they are:", () => {
  test.each<[string, Response]>([
    ["answers that set a cookie", answer({ ...json, "set-cookie": "sid=1" })],
    ["streams of events", answer({ "content-type": "text/event-stream" })],
    ["tables that are streamed", answer({ "content-type": "text/csv; charset=utf-8" })],
    ["lines that are streamed", answer({ "content-type": "application/x-ndjson" })],
    ["what is compressed", answer({ ...json, "content-encoding": "br" })],
    ["parts", answer({ ...json, "content-range": "bytes 0-9/100" }, 206)],
    ["pictures", answer({ "content-type": "image/png" })],
    ["packages", answer({ "content-type": "application/zip" })],
    ["what must not be changed", answer({ ...json, "cache-control": "public, no-transform" })],
    ["answers without a body", new Response(null, { status: 304, headers: json })],
  ])("%s", async (_title, response) => {
    expect(await compressAnswer(arriving("/api/things", browser), response)).toBeUndefined();
  });

  test("less than a kilobyte", async () => {
    const small = new Response("x".repeat(1_023), { headers: json });
    const sent = await compressAnswer(arriving("/api/things", browser), small);
    expect(sent?.headers.get("content-encoding")).toBeNull();
    expect(await sent?.text()).toBe("x".repeat(1_023));
  });

  test("less than a kilobyte, to the last byte of its head", async () => {
    const headers = { ...json, vary: "cookie" };
    for (const length of [{}, { "content-length": "1023" }]) {
      const small = new Response("x".repeat(1_023), { headers: { ...headers, ...length } });
      const sent = (await compressAnswer(arriving("/api/things", browser), small)) ?? small;
      expect(sent.headers.get("vary")).toBe("cookie");
    }
  });

  test("what compressing does not make smaller, its longer head counted", async () => {
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

  test("what somebody wants a part of", async () => {
    const request = arriving("/api/things", { ...browser, range: "bytes=0-9" });
    expect(await compressAnswer(request, answer())).toBeUndefined();
  });
});

describe("a secret is not told by the length of an answer:", () => {
  const cookie = { ...browser, cookie: "sid=1" };
  test.each<[string, Record<string, string>, string | null]>([
    ["a page of ours asks for whoever is signed in", { ...cookie, "sec-fetch-site": "same-origin" }, "zstd"],
    ["another site asks for whoever is signed in", { ...cookie, "sec-fetch-site": "cross-site" }, null],
    ["a sister site asks for whoever is signed in", { ...cookie, "sec-fetch-site": "same-site" }, null],
    ["its address was typed", { ...cookie, "sec-fetch-site": "none" }, null],
    ["nobody knows who asks for whoever is signed in", cookie, null],
    ["another site asks for nobody in particular", { ...browser, "sec-fetch-site": "cross-site" }, "zstd"],
    ["a program asks with a token", { ...browser, authorization: "Bearer atr_x" }, "zstd"],
  ])("%s", async (_title, headers, coding) => {
    const packed = await compressAnswer(arriving("/api/things", headers), answer());
    expect(packed?.headers.get("content-encoding") ?? null).toBe(coding);
  });

  test("a write is never answered with a compressed answer", async () => {
    const request = arriving("/api/things", browser, { method: "POST" });
    expect(await compressAnswer(request, answer())).toBeUndefined();
  });
});

test("caches are told what an answer depends on, and its tag becomes a weak one", async () => {
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

test("an answer that comes slowly goes out piece by piece, whole and in order", async () => {
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
