import { describe, expect, test } from "bun:test";
import { isCanonicalPath, loggedPath, splitTarget } from "./target.ts";

describe("Z5: a path has one reading or none", () => {
  for (const path of [
    "/",
    "/api/auth/user",
    "/api/auth/verify-email/Ab_-9",
    "/assets/app-1a2b.js",
    "/api/x/a.b@c",
  ])
    test(`${path} is canonical`, () => expect(isCanonicalPath(path)).toBe(true));
  for (const path of [
    "//api/auth/user",
    "/api//auth/user",
    "/api/./auth/user",
    "/api/../api/auth/user",
    "/api/auth/user/",
    "/api/auth/user/.",
    "/api/auth/%75ser",
    "/api%2fauth%2fuser",
    "/api/auth/user%00",
    "/api/auth/user;x=1",
    "/api\\auth\\user",
    "/.env",
    "/api/.git/config",
    "/api/auth/user\u0000",
    "/api/ auth",
    "",
    "api",
  ])
    test(`${JSON.stringify(path)} is not`, () => expect(isCanonicalPath(path)).toBe(false));
});

test("a target is split at the first question mark, and the path is kept unchanged", () => {
  expect(splitTarget("http://localhost:3000/a/../b?c=/d?e")).toEqual({ path: "/a/../b", search: "?c=/d?e" });
  expect(splitTarget("http://localhost:3000")).toEqual({ path: "/", search: "" });
});

test("a target without an origin, as it comes without a usable Host, is its own path", () => {
  expect(splitTarget("/api/ready?a=/b")).toEqual({ path: "/api/ready", search: "?a=/b" });
  expect(splitTarget("/x?u=http://localhost/api/ready")).toEqual({
    path: "/x",
    search: "?u=http://localhost/api/ready",
  });
  expect(splitTarget("//localhost/api/ready")).toEqual({ path: "//localhost/api/ready", search: "" });
});

test("a logged path contains nothing that could be a token", () => {
  const token = "dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBpcyBpdD8";
  expect(loggedPath("/api/auth/user")).toBe("/api/auth/user");
  expect(loggedPath(`/verify-email/${token}`)).toBe("/verify-email/…");
  expect(loggedPath(`/api/${token}/settings`)).toBe("/api/…/settings");
  expect(loggedPath(`/${"a-long-word-of-a-path/".repeat(20)}`)).toHaveLength(100);
});
