import { describe, expect, test } from "bun:test";
import { arriving } from "../testing/arriving.ts";
import { createResponseCache } from "./response-cache.ts";

const stage = (mostBytes = 1_000_000) => {
  const clock = { ms: 0 };
  const cache = createResponseCache({ now: () => clock.ms, limits: () => ({ ttlMs: 60_000, mostBytes }) });
  const keep = (
    path: string,
    {
      headers = {},
      asked = {},
      body = path,
    }: { headers?: object; asked?: Record<string, string>; body?: string } = {},
  ) =>
    cache.keep(
      arriving(path, asked),
      { headers: new Headers({ ...headers }), bytes: new TextEncoder().encode(body) },
      cache.epoch,
    );
  return { clock, cache, keep };
};

test("a kept answer is what the next visitor gets, with its age, until its time is over", async () => {
  const { clock, cache, keep } = stage();
  keep("/about", { headers: { "content-type": "text/html" } });
  clock.ms = 59_000;
  const found = cache.find(arriving("/about"));
  expect(await found?.text()).toBe("/about");
  expect(found?.headers.get("x-atrium-cache")).toBe("hit");
  expect(found?.headers.get("age")).toBe("59");
  expect(found?.headers.get("content-type")).toBe("text/html");
  clock.ms = 60_000;
  expect(cache.find(arriving("/about"))).toBeUndefined();
  expect(cache.state()).toMatchObject({ entries: 0, bytes: 0, hits: 1 });
});

test("what belongs to one request alone is not told to the next", () => {
  const { cache, keep } = stage();
  const own = { "x-request-id": "1", RateLimit: '"core";r=1', "x-atrium-block": "1", "set-cookie": "sid=1" };
  keep("/about", { headers: { ...own, etag: '"a"' } });
  expect([...(cache.find(arriving("/about"))?.headers.keys() ?? [])].sort()).toEqual([
    "age",
    "etag",
    "x-atrium-cache",
  ]);
});

test("only who asks alike gets it: host, query, and what the answer says it depends on", () => {
  const { cache, keep } = stage();
  keep("/about", { headers: { vary: "Accept-Encoding, Cookie" }, asked: { "accept-encoding": "br" } });
  expect(cache.find(arriving("/about", { "accept-encoding": "br" }))).toBeDefined();
  expect(cache.find(arriving("/about", { "accept-encoding": "gzip" }))).toBeUndefined();
  expect(cache.find(arriving("/about"))).toBeUndefined();
  expect(cache.find(arriving("/about", { "accept-encoding": "br", cookie: "a=1" }))).toBeUndefined();
  expect(cache.find(arriving("/about", { "accept-encoding": "br", host: "other.example" }))).toBeUndefined();
  expect(cache.find(arriving("/about", { "accept-encoding": "br" }, { query: "a=1" }))).toBeUndefined();
});

test("what depends on everything is not kept", () => {
  const { cache, keep } = stage();
  keep("/about", { headers: { vary: "*" } });
  expect(cache.state().entries).toBe(0);
});

test("who has the answer already hears only that it is still right", async () => {
  const { cache, keep } = stage();
  keep("/about", { headers: { etag: 'W/"a"', "content-encoding": "br" } });
  const found = cache.find(arriving("/about", { "if-none-match": '"x", "a"' }));
  expect(found?.status).toBe(304);
  expect(found?.headers.get("content-encoding")).toBeNull();
  expect(cache.find(arriving("/about", { "if-none-match": '"b"' }))?.status).toBe(200);
});

test("a HEAD gets the headers alone", async () => {
  const { cache, keep } = stage();
  keep("/about");
  const found = cache.find(arriving("/about", {}, { method: "HEAD" }));
  expect(found?.headers.get("content-length")).toBe("6");
  expect(await found?.text()).toBe("");
});

describe("a purge", () => {
  test("forgets everything, or one address in all its forms", () => {
    const { cache, keep } = stage();
    for (const coding of ["br", "gzip"])
      keep("/about", { headers: { vary: "accept-encoding" }, asked: { "accept-encoding": coding } });
    keep("/");
    expect(cache.purge("/about")).toBe(2);
    expect(cache.find(arriving("/"))).toBeDefined();
    expect(cache.purge()).toBe(1);
    expect(cache.state()).toMatchObject({ entries: 0, bytes: 0 });
  });

  test("keeps out what was answered before it", () => {
    const { cache } = stage();
    const { epoch } = cache;
    cache.purge();
    cache.keep(arriving("/"), { headers: new Headers(), bytes: new Uint8Array(3) }, epoch);
    expect(cache.state().entries).toBe(0);
  });
});

describe("memory is bounded", () => {
  test("in bytes: what was not asked for longest goes first", () => {
    const { cache, keep } = stage(50_000);
    for (let at = 0; at < 20; at += 1) {
      keep(`/${at}`, { body: "x".repeat(4_000) });
      cache.find(arriving("/0"));
    }
    expect(cache.state().bytes).toBeLessThanOrEqual(50_000);
    expect(cache.find(arriving("/0"))).toBeDefined();
    expect(cache.find(arriving("/1"))).toBeUndefined();
    expect(cache.find(arriving("/19"))).toBeDefined();
  });

  test("in entries, and in forms of one address", () => {
    const { cache, keep } = stage(100_000_000);
    for (let at = 0; at < 2_000; at += 1) keep(`/${at}`);
    expect(cache.state().entries).toBe(500);
    cache.purge();
    for (let at = 0; at < 100; at += 1)
      keep("/", { headers: { vary: "accept-encoding" }, asked: { "accept-encoding": `made-up-${at}` } });
    expect(cache.state().entries).toBe(8);
  });

  test("in queries of one path, which leave other pages where they are", () => {
    const { cache, keep } = stage(100_000_000);
    for (let at = 0; at < 20; at += 1) keep(`/${at}`);
    const bytes = new Uint8Array(1);
    for (let at = 0; at < 2_000; at += 1)
      cache.keep(
        arriving("/api/notes", {}, { query: `x=${at}` }),
        { headers: new Headers(), bytes },
        cache.epoch,
      );
    expect(cache.state().entries).toBe(70);
    expect(cache.find(arriving("/0"))).toBeDefined();
    expect(cache.find(arriving("/api/notes", {}, { query: "x=1999" }))).toBeDefined();
    expect(cache.find(arriving("/api/notes", {}, { query: "x=0" }))).toBeUndefined();
  });

  test("one answer does not push out all others", () => {
    const { cache, keep } = stage(50_000);
    keep("/", { body: "x".repeat(20_000) });
    expect(cache.state().entries).toBe(0);
  });

  test("an address that is kept again takes the place of what was there", () => {
    const { cache, keep } = stage();
    for (let at = 0; at < 5; at += 1) keep("/", { body: String(at) });
    expect(cache.state()).toMatchObject({ entries: 1, bytes: 1 });
  });
});
