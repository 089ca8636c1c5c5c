import { describe, expect, test } from "bun:test";
import { loginPath, originFrom, wasSignedOut } from "./page-token.ts";

describe("where to go after signing in", () => {
  test("the sign-in address remembers the page with its query, and gives it back", () => {
    const address = loginPath("/admin/users?search=ada&offset=25");
    expect(address).toBe("/login?from=%2Fadmin%2Fusers%3Fsearch%3Dada%26offset%3D25");
    expect(originFrom(address.slice("/login".length))).toBe("/admin/users?search=ada&offset=25");
  });

  test("without a page worth remembering the dashboard comes next", () => {
    expect(loginPath("/")).toBe("/login");
    for (const search of ["", "?from=", "?from=//evil.example", "?error=auth_failed"]) {
      expect(originFrom(search)).toBe("/dashboard");
    }
  });
});

test("only a session that ended in the middle of work leaves its mark in the history entry", () => {
  expect(wasSignedOut.reasonIn(wasSignedOut.mark("idle"))).toBe("idle");
  for (const state of [null, undefined, "wasSignedOut", { wasSignedOut: "yes" }, { email: "a@b.example" }]) {
    expect(wasSignedOut.reasonIn(state)).toBeNull();
  }
});
