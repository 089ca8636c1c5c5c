import { beforeEach, describe, expect, test } from "bun:test";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { remainingRequests } from "#api/testing/limit-headers.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { rawCall } from "#api/testing/raw-call.ts";

const settings = createFixedSettings();
const host = await hostForFile({ settings });
beforeEach(() => {
  settings.setCore(limitedCore());
  // Whoever was counted before is forgotten.
  host.clock.advance(3_600_000);
  host.logs.length = 0;
});

const stranger = "203.0.113.7";
const ask = (path: string, init: RequestInit = {}, peer = stranger) => host.request(path, init, peer);
const spend = async (calls: number, peer: string) => {
  for (let call = 0; call < calls; call += 1) await ask("/api/auth/providers", {}, peer);
};

describe("R1: from a peer that is not a trusted proxy", () => {
  test("a thousand requests with headers of other addresses are one client's: 100 pass, and the log has the peer", async () => {
    const names = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip"];
    const counts = new Map<number, number>();
    for (let call = 0; call < 1_000; call += 1) {
      const address = `198.51.${call >> 8}.${call & 255}`;
      const name = names[call % names.length] ?? "";
      const headers = { [name]: name === "forwarded" ? `for=${address};proto=https` : address };
      const { status } = await ask("/api/auth/providers", { headers });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ 200: 100, 429: 900 });
    const ips = host.logs.filter(({ message }) => message === "request").map(({ fields }) => fields?.ip);
    expect([ips.length, [...new Set(ips)]]).toEqual([1_000, [stranger]]);
  });
});

describe("R2: through a trusted proxy", () => {
  const through = (forwardedFor: string, proxy = "127.0.0.1") =>
    ask("/api/auth/providers", { headers: { "x-forwarded-for": forwardedFor } }, proxy);
  /** What is left for each of the calls, made one after the other. */
  const rests = async (...chains: string[]) => {
    const all: number[] = [];
    for (const chain of chains) all.push(remainingRequests(await through(chain)));
    return all;
  };

  test("each visitor is a separate client, whatever they sent in the header", async () => {
    expect(await rests("198.51.100.1", "1.1.1.1, 198.51.100.1", "198.51.100.2")).toEqual([99, 98, 99]);
  });
  test("all spellings of an address, and all addresses of an IPv6 /64 network, are one client", async () => {
    const spellings = ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1", "2001:db8:0:0:ffff:1:2:3"];
    expect(await rests(...spellings, "2001:db8:0:1::1")).toEqual([99, 98, 97, 99]);
    expect(await rests("198.51.100.3", "::ffff:198.51.100.3", "198.51.100.3:65000")).toEqual([99, 98, 97]);
  });
  test("the networks of one IPv6 /48 site share ten times the limit, which only a refusal shows", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    const statuses: number[] = [];
    for (let network = 0; network < 101; network += 1)
      statuses.push((await through(`2001:db8:9:${network.toString(16)}::1`)).status);
    expect([statuses.indexOf(429), statuses.length]).toEqual([100, 101]);
    const refused = await through("2001:db8:9:ffff::1");
    expect(refused.headers.get("ratelimit-policy")).toBe('"core";q=100;w=900');
    expect(remainingRequests(await through("2001:db8:a::1"))).toBe(9);
    expect(remainingRequests(await through("198.51.100.8"))).toBe(9);
  });
  test("refused requests of a network do not count for its site", async () => {
    settings.setCore(limitedCore({ maxRequests: 10 }));
    for (let call = 0; call < 200; call += 1) await through("2001:db8:b::1");
    expect(remainingRequests(await through("2001:db8:b:1::1"))).toBe(9);
  });
  test("while Trust Proxy is off, all count as the proxy, from the next request on", async () => {
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([99, 99]);
    settings.setCore(limitedCore({}, { trustProxy: false }));
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([99, 98]);
    settings.setCore(limitedCore());
    expect(await rests("198.51.100.6", "198.51.100.7")).toEqual([98, 98]);
  });
});

describe("R4: nothing else in a request makes it another client's", () => {
  const json = { "content-type": "application/json" };
  const post = (body: string, headers: Record<string, string> = json) => ({ method: "POST", body, headers });
  const variants: [title: string, path: string, init: { method: string; body?: string; headers?: object }][] =
    [
      ["another field", "/api/auth/login", post('{"email":"a@b.example","password":"x","ip":"1.2.3.4"}')],
      ["another address to sign in with", "/api/auth/login", post('{"email":"c@b.example","password":"x"}')],
      ["a query", "/api/auth/login?x=1", post("{}")],
      ["another query", "/api/auth/login?client=2", post("{}")],
      ["a slash at the end", "/api/auth/login/", post("{}")],
      ["two slashes", "/api//auth/login", post("{}")],
      ["a dot", "/api/./auth/login", post("{}")],
      ["another case", "/api/AUTH/login", post("{}")],
      ["an escape", "/api/%61uth/login", post("{}")],
      ["a parameter", "/api/auth/login;v=2", post("{}")],
      ["another method", "/api/auth/login", { method: "PUT" }],
      ["a method of its own", "/api/auth/login", { method: "PROPFIND" }],
      ["a question", "/api/auth/login", { method: "OPTIONS" }],
      ["the head alone", "/api/auth/providers", { method: "HEAD" }],
      ["another host of ours", "/api/auth/login", post("{}", { ...json, host: "127.0.0.1:9" })],
      ["a foreign host", "/api/auth/login", post("{}", { ...json, host: "evil.example" })],
      ["another browser", "/api/auth/login", post("{}", { ...json, "user-agent": "Other/2.0" })],
      ["another language", "/api/auth/login", post("{}", { ...json, "accept-language": "tlh" })],
      ["a made-up session", "/api/auth/login", post("{}", { ...json, cookie: `sid=${"x".repeat(43)}` })],
      ["a token", "/api/auth/login", post("{}", { ...json, authorization: "Bearer x" })],
      ["another type", "/api/auth/login", post("{}", { "content-type": "text/plain" })],
      [
        "a client id",
        "/api/auth/login",
        post("{}", { ...json, "x-client-id": "7", "true-client-ip": "1.2.3.4" }),
      ],
    ];
  const call = (path: string, { method, body, headers }: (typeof variants)[number][2]) =>
    rawCall(host, host.visitor(), { method, path, body: body ?? null, headers: { ...headers } });

  test(`${variants.length} variants of a request have one counter, and all are refused when it is full`, async () => {
    for (const [index, [title, path, init]] of variants.entries())
      expect([title, remainingRequests(await call(path, init))]).toEqual([title, 99 - index]);
    await spend(100, "127.0.0.1");
    for (const [title, path, init] of variants)
      expect([title, (await call(path, init)).status]).toEqual([title, 429]);
  });

  test("a spelling that is not counted reaches no route", async () => {
    for (const path of ["/API/auth/login", "//api/auth/login", "/%61pi/auth/login", "/./api/auth/login"]) {
      const response = await call(path, post("{}"));
      expect([path, remainingRequests(response), await response.text()]).toEqual([path, Number.NaN, "page"]);
    }
  });
});
