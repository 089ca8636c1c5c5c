import { describe, expect, test } from "bun:test";
import { clearedCookie, createCallCookies, hasSessionCookie, readToken, setCookie } from "./origin.ts";

const token = "a".repeat(43);

describe("A3: the session cookie", () => {
  test("is host-bound, secure and out of scripts' reach on https", () => {
    expect(setCookie("sid", { token, lifeMs: 60_000 }, true)).toBe(
      `__Host-sid=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
  });
  test("has no domain and no prefix on plain http", () => {
    expect(setCookie("sid", { token, lifeMs: 59_001 }, false)).toBe(
      `sid=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });
  test("is removed with the attributes that it was set with", () => {
    expect(clearedCookie("sid", true)).toBe("__Host-sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
  });
});

describe("the cookies of a call", () => {
  test("are read by name, and sent once each with the last value", () => {
    const cookies = createCallCookies(`device=${token}; sid=${"b".repeat(43)}`, false);
    expect([cookies.session.token, cookies.device.token, cookies.oauth.token]).toEqual([
      "b".repeat(43),
      token,
      null,
    ]);
    expect([...cookies.toSend()]).toEqual([]);
    cookies.session.set(token, 60_000);
    cookies.session.clear();
    cookies.oauth.set(token);
    expect([...cookies.toSend()]).toEqual([
      clearedCookie("sid", false),
      `oauth=${token}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`,
    ]);
  });
  test("last a year for a known browser, and are host-bound on https", () => {
    const cookies = createCallCookies(null, true);
    cookies.device.set(token);
    expect([...cookies.toSend()]).toEqual([
      `__Host-device=${token}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`,
    ]);
  });
});

describe("A6: the cookie header", () => {
  const rows: [string, string | null, string | null][] = [
    ["one cookie gives its token", `a=1; sid=${token}; b=2`, token],
    ["two of the name give none, even when equal", `sid=${token}; sid=${token}`, null],
    ["a planted second one gives none", `sid=${"b".repeat(43)}; sid=${token}`, null],
    ["a longer name is another cookie", `xsid=${token}`, null],
    ["a short value gives none", "sid=abc", null],
    ["8 KB give none", `sid=${"a".repeat(8192)}`, null],
    ["bad escapes give none", `sid=%E0%A4%A${"a".repeat(36)}`, null],
    ["a NUL gives none", `sid=${"a".repeat(42)}\u0000`, null],
    ["__proto__ is an ordinary other cookie", `__proto__=1; sid=${token}`, token],
    ["what browsers take for a part of the name is one: it hides a prefix", `\u00a0sid=${token}`, null],
    ["and behind a name", `sid\u00a0=${token}`, null],
    ["and a part of a value", `sid=\u00a0${token}`, null],
    ["blanks of HTTP are none", `a=1;\t sid \t= ${token} `, token],
    ["no header gives none", null, null],
  ];
  for (const [title, header, expected] of rows)
    test(title, () => expect(readToken(header, "sid")).toBe(expected));
});

test("the origin rule sees every cookie that could authenticate, however it is spelled", () => {
  for (const header of [
    `sid=${token}`,
    `sid =${token}`,
    ` sid\t=${token}`,
    "a=1; sid=",
    `sid=${token}; sid=x`,
  ])
    expect(hasSessionCookie(header, "sid")).toBe(true);
  for (const header of [null, "", `xsid=${token}`, "sid", "a=sid"])
    expect(hasSessionCookie(header, "sid")).toBe(false);
});
