import { describe, expect, test } from "bun:test";
import { createOriginRule, type Provenance } from "./origin.ts";

const rule = createOriginRule("https://atrium.example", ["https://partner.example"]);
const sites = ["same-origin", "same-site", "cross-site", "none", null];
const origins = ["https://atrium.example", "https://evil.example", "null", null];
const from = (origin: string | null, fetchSite: string | null): Provenance => ({
  origin,
  fetchSite,
  purpose: null,
});

// Each row: Sec-Fetch-Site, Origin, allowed with the session cookie, allowed without it.
const unsafeTable: [string | null, string | null, boolean, boolean][] = [
  ["same-origin", "https://atrium.example", true, true],
  ["same-origin", "https://evil.example", false, false],
  ["same-origin", "null", false, false],
  ["same-origin", null, true, true],
  ["same-site", "https://atrium.example", false, false],
  ["same-site", "https://evil.example", false, false],
  ["same-site", "null", false, false],
  ["same-site", null, false, false],
  ["cross-site", "https://atrium.example", false, false],
  ["cross-site", "https://evil.example", false, false],
  ["cross-site", "null", false, false],
  ["cross-site", null, false, false],
  ["none", "https://atrium.example", false, false],
  ["none", "https://evil.example", false, false],
  ["none", "null", false, false],
  ["none", null, false, true],
  [null, "https://atrium.example", true, true],
  [null, "https://evil.example", false, false],
  [null, "null", false, false],
  [null, null, false, true],
];

describe("C1: a request that changes something", () => {
  test("is decided for every pair of headers", () => {
    expect(unsafeTable).toHaveLength(sites.length * origins.length);
  });
  for (const [fetchSite, origin, withCookie, without] of unsafeTable) {
    test(`Sec-Fetch-Site ${fetchSite}, Origin ${origin}: ${withCookie ? "passes" : "is refused"} with the cookie`, () => {
      expect(rule("unsafe", from(origin, fetchSite), true)).toBe(withCookie);
      expect(rule("unsafe", from(origin, fetchSite), false)).toBe(without);
    });
  }
  test("passes from an origin that the operator listed, at any site", () => {
    expect(rule("unsafe", from("https://partner.example", "cross-site"), true)).toBe(true);
  });
  test("is refused from origins that resemble the public one", () => {
    for (const origin of [
      "http://atrium.example",
      "https://atrium.example:8443",
      "https://atrium.example.evil.example",
      "https://evilatrium.example",
      "https://sub.atrium.example",
      "https://ATRIUM.example",
    ]) {
      expect(rule("unsafe", from(origin, null), true)).toBe(false);
    }
  });
});

describe("C2: a GET that changes something", () => {
  test("by its cookie passes when it is same-origin or typed, and from nowhere else", () => {
    expect(rule("get-by-cookie", from(null, "same-origin"), true)).toBe(true);
    expect(rule("get-by-cookie", from(null, "none"), true)).toBe(true);
    for (const site of ["cross-site", "same-site", null])
      expect(rule("get-by-cookie", from(null, site), true)).toBe(false);
  });
  test("by its token passes for programs too, but not for another site's image or link", () => {
    expect(rule("get-by-token", from(null, null), true)).toBe(true);
    for (const site of ["cross-site", "same-site"])
      expect(rule("get-by-token", from(null, site), false)).toBe(false);
  });
  test("by the state of a social sign-in passes from the provider's site", () => {
    for (const site of ["cross-site", "same-site", "none", null])
      expect(rule("get-by-state", from(null, site), true)).toBe(true);
  });
  test("is never done by a prefetch", () => {
    for (const kind of ["get-by-cookie", "get-by-token", "get-by-state"] as const)
      expect(rule(kind, { origin: null, fetchSite: "same-origin", purpose: "prefetch" }, true)).toBe(false);
  });
});

test("other names of loopback count as the public origin on the same port, and only on loopback", () => {
  const local = createOriginRule("http://localhost:3000", []);
  expect(local("unsafe", from("http://127.0.0.1:3000", "same-origin"), true)).toBe(true);
  expect(local("unsafe", from("http://127.0.0.1:3001", "same-origin"), true)).toBe(false);
  expect(rule("unsafe", from("http://127.0.0.1:3000", "same-origin"), true)).toBe(false);
});
