import { describe, expect, test } from "bun:test";
import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { readSettings } from "../read-settings.ts";
import { arriving } from "../testing/arriving.ts";
import { createPreloadLinks, createShaper } from "./create-shaper.ts";
import { createResponseCache } from "./response-cache.ts";
import { createTrial, trialHeader, trialValue } from "./trial.ts";

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  vary: "accept-encoding, cookie",
};
const callHeaders = { "content-type": "application/json", "cache-control": "no-store" };

const stage = (on: Record<string, Json> = {}) => {
  let settings = readSettings({ sharedCalls: ["/api/plugins", "/api/notes/list"], ...on });
  const now = () => 0;
  const cache = createResponseCache({ now, limits: () => ({ ttlMs: 60_000, mostBytes: 1_000_000 }) });
  const trial = createTrial(now);
  const preloadLinks = createPreloadLinks((path) =>
    path === "/" ? { scripts: ["/assets/a.js"], styles: ["/assets/a.css"] } : { scripts: [], styles: [] },
  );
  const shaper = createShaper({ settings: () => settings, cache, preloadLinks, trial });
  let made = 0;
  /** What a request gets from a host with this shaper, whose application answers with `answer`. */
  const ask = async (
    request: ArrivingRequest,
    answer: ResponseInit = { headers: pageHeaders },
  ): Promise<Response> => {
    const isAnonymous = !request.headers.has("cookie") && !request.headers.has("authorization");
    const isSafe = request.method === "GET" || request.method === "HEAD";
    const kept = isAnonymous && isSafe ? shaper.reuse?.(request) : undefined;
    if (kept === undefined) made += 1;
    const response = kept ?? new Response(`answer ${made}`, answer);
    return (await shaper.shape?.(request, response, { isAnonymous })) ?? response;
  };
  return {
    ask,
    cache,
    shaper,
    trial,
    turn: (next: Record<string, Json>) => {
      settings = readSettings(next);
    },
  };
};

const mark = (response: Response) => response.headers.get("x-atrium-cache");
const twice = async (on: Record<string, Json>, request: () => ArrivingRequest, answer?: ResponseInit) => {
  const { ask } = stage(on);
  await ask(request(), answer);
  return mark(await ask(request(), answer));
};

test("responses bypass it while all switches are off and nothing is measured", () => {
  const { shaper, trial, turn } = stage();
  expect(shaper.isIdle).toBe(true);
  trial.open();
  expect(shaper.isIdle).toBe(false);
  trial.close();
  for (const name of ["compression", "cacheLifetimes", "preloadHeaders", "responseCache"]) {
    turn({ [name]: true });
    expect(shaper.isIdle).toBe(false);
  }
  turn({ prefetch: true });
  expect(shaper.isIdle).toBe(true);
});

describe("the response cache", () => {
  const on = { responseCache: true };

  test("serves a public page to the second visitor, with x-atrium-cache", async () => {
    const { ask, cache } = stage(on);
    const first = await ask(arriving("/"));
    expect([mark(first), await first.text()]).toEqual(["miss", "answer 1"]);
    const second = await ask(arriving("/"));
    expect([mark(second), await second.text()]).toEqual(["hit", "answer 1"]);
    expect(cache.state()).toMatchObject({ hits: 1, misses: 1, bypassed: 0 });
  });

  test("serves listed endpoints that are the same for everyone", async () => {
    expect(await twice(on, () => arriving("/api/plugins"), { headers: callHeaders })).toBe("hit");
  });

  test.each<[string, () => ArrivingRequest, ResponseInit?]>([
    ["a page for a client with a cookie", () => arriving("/", { cookie: "sid=1" })],
    ["a page for a client with credentials", () => arriving("/", { authorization: "Bearer atr_x" })],
    [
      "an endpoint for a client with a cookie",
      () => arriving("/api/plugins", { cookie: "a=1" }),
      { headers: callHeaders },
    ],
    ["a private page", () => arriving("/"), { headers: { ...pageHeaders, "cache-control": "private" } }],
    [
      "a page with no-store",
      () => arriving("/"),
      { headers: { ...pageHeaders, "cache-control": "no-store" } },
    ],
    [
      "a page that sets a cookie",
      () => arriving("/"),
      { headers: { ...pageHeaders, "set-cookie": "sid=1" } },
    ],
    ["a page that was not found", () => arriving("/no"), { status: 404, headers: pageHeaders }],
    ["a redirect", () => arriving("/no"), { status: 302, headers: pageHeaders }],
    ["a page with a token in its query", () => arriving("/reset-password", {}, { query: "token=x" })],
    [
      "an endpoint of a plugin that does not allow it",
      () => arriving("/api/notes/list"),
      { headers: callHeaders },
    ],
    [
      "an endpoint that is not listed",
      () => arriving("/api/other"),
      { headers: { ...callHeaders, "cache-control": "public" } },
    ],
    ["a request from another origin", () => arriving("/", { origin: "https://other.example" })],
    ["a part of a page", () => arriving("/", { range: "bytes=0-9" })],
    ["a write", () => arriving("/api/plugins", {}, { method: "POST" }), { headers: callHeaders }],
  ])("never caches %s", async (_title, request, answer) => {
    const { ask, cache } = stage(on);
    await ask(request(), answer);
    expect(mark(await ask(request(), answer))).not.toBe("hit");
    expect(cache.state().entries).toBe(0);
  });

  test("is not filled by made-up queries", async () => {
    const { ask, cache } = stage(on);
    await ask(arriving("/"));
    for (const path of ["/api/plugins", "/", "/about"])
      for (let at = 0; at < 600; at += 1)
        await ask(
          arriving(path, {}, { query: `x=${at}` }),
          path === "/api/plugins" ? { headers: callHeaders } : {},
        );
    expect(cache.state().kept.map(({ path }) => path)).toEqual(["/"]);
  });

  test("never serves cached responses to a client with a cookie", async () => {
    const { ask } = stage(on);
    await ask(arriving("/"));
    const response = await ask(arriving("/", { cookie: "sid=1" }));
    expect([mark(response), await response.text()]).toEqual(["bypass", "answer 2"]);
  });

  test("caches an endpoint of a plugin that allows it", async () => {
    const headers = { ...callHeaders, "cache-control": "public, max-age=30" };
    expect(await twice(on, () => arriving("/api/notes/list"), { headers })).toBe("hit");
  });

  test("does not cache a response from during a purge", async () => {
    const { shaper, cache } = stage(on);
    const request = arriving("/");
    shaper.reuse?.(request);
    cache.purge();
    await shaper.shape?.(request, new Response("old", { headers: pageHeaders }), { isAnonymous: true });
    expect(cache.state().entries).toBe(0);
  });

  test("caches compressed responses if compression is on", async () => {
    const { shaper } = stage({ ...on, compression: true });
    const headers = { "accept-encoding": "zstd" };
    const body = "word ".repeat(1_000);
    const first = arriving("/api/plugins", headers);
    shaper.reuse?.(first);
    await shaper.shape?.(first, new Response(body, { headers: callHeaders }), { isAnonymous: true });
    expect(shaper.reuse?.(arriving("/api/plugins", headers))?.headers.get("content-encoding")).toBe("zstd");
    expect(shaper.reuse?.(arriving("/api/plugins"))).toBeUndefined();
  });
});

describe("lifetimes", () => {
  const on = { cacheLifetimes: true, pageSeconds: 120, pageStaleSeconds: 600, callSeconds: 15 };
  const lifeOf = async (request: ArrivingRequest, answer?: ResponseInit) =>
    (await stage(on).ask(request, answer)).headers.get("cache-control");

  test("of public pages and listed endpoints are as configured, and vary by cookie and credentials", async () => {
    const page = await stage(on).ask(arriving("/"));
    expect(page.headers.get("cache-control")).toBe("public, max-age=120, stale-while-revalidate=600");
    expect(page.headers.get("vary")).toBe("accept-encoding, cookie, authorization");
    expect(await lifeOf(arriving("/api/plugins"), { headers: callHeaders })).toContain("max-age=15");
  });

  test("do not apply to personal responses, nor to responses with their own lifetime", async () => {
    expect(await lifeOf(arriving("/", { cookie: "sid=1" }))).toBe("no-cache");
    const own = { ...pageHeaders, "cache-control": "private, no-store" };
    expect(await lifeOf(arriving("/"), { headers: own })).toBe("private, no-store");
    const longer = { ...pageHeaders, "cache-control": "public, max-age=31536000, immutable" };
    expect(await lifeOf(arriving("/"), { headers: longer })).toBe("public, max-age=31536000, immutable");
    expect(await lifeOf(arriving("/no"), { status: 404, headers: pageHeaders })).toBe("no-cache");
  });
});

test("only a page's document lists its files in a Link header", async () => {
  const { ask } = stage({ preloadHeaders: true });
  expect((await ask(arriving("/", { cookie: "sid=1" }))).headers.get("link")).toBe(
    "</assets/a.css>; rel=preload; as=style, </assets/a.js>; rel=modulepreload; fetchpriority=low",
  );
  expect((await ask(arriving("/about"))).headers.get("link")).toBeNull();
  expect((await ask(arriving("/"), { status: 404, headers: pageHeaders })).headers.get("link")).toBeNull();
  expect((await ask(arriving("/api/plugins"), { headers: callHeaders })).headers.get("link")).toBeNull();
});

describe("a request of the measurement", () => {
  test("gets only the switch that it names, whatever the settings, and does not touch visitors' cache", async () => {
    const { ask, trial, cache } = stage({ preloadHeaders: true });
    const secret = trial.open();
    const asked = () => arriving("/", { [trialHeader]: trialValue(secret, "responseCache") });
    const first = await ask(asked());
    expect([mark(first), first.headers.get("link"), first.headers.get(trialHeader)]).toEqual([
      "miss",
      null,
      "responseCache",
    ]);
    const second = await ask(asked());
    expect([mark(second), second.headers.get(trialHeader)]).toEqual(["hit", "responseCache"]);
    expect(cache.state()).toMatchObject({ entries: 0, hits: 0, misses: 0 });
    const none = await ask(arriving("/", { [trialHeader]: trialValue(secret, null) }));
    expect([mark(none), none.headers.get("link"), none.headers.get(trialHeader)]).toEqual([
      null,
      null,
      "none",
    ]);
  });

  test("is an ordinary request with a wrong secret, or after the measurement", async () => {
    const { ask, trial } = stage({ preloadHeaders: true });
    const secret = trial.open();
    const forged = arriving("/", { [trialHeader]: trialValue(crypto.randomUUID(), null) });
    expect((await ask(forged)).headers.get("link")).not.toBeNull();
    trial.close();
    const late = await ask(arriving("/", { [trialHeader]: trialValue(secret, null) }));
    expect(late.headers.get(trialHeader)).toBeNull();
  });
});
