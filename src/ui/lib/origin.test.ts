import { describe, expect, test } from "bun:test";
import { loginPath, originFrom, safePath } from "./origin.ts";

describe("where to go after signing in", () => {
  const own = [
    "/admin",
    "/admin/users?search=a%26b&offset=25",
    "/dashboard#top",
    "/a//b",
    "/%2F%2Fevil.example",
  ];
  for (const path of own) {
    test(`${path} is a page of this site`, () => {
      expect(safePath(path)).toBe(path);
    });
  }

  const foreign = [
    "",
    "dashboard",
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    " //evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "//same-origin.invalid//evil.example",
    "//user@evil.example",
    "//[",
  ];
  for (const path of foreign) {
    test(`${JSON.stringify(path)} is refused`, () => {
      expect(safePath(path)).toBeNull();
    });
  }

  test("the sign-in pages themselves are no place to come back to", () => {
    for (const path of ["/login", "/login?from=/admin", "/register", "/setup"])
      expect(safePath(path)).toBeNull();
  });

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
