import { expect, test } from "bun:test";
import { createPathTest, isPathPattern } from "./path-pattern.ts";

test.each<[string, string[], string[]]>([
  ["/api/contact", ["/api/contact"], ["/api/contact/", "/api/contacts", "/API/contact", "/api"]],
  ["/api/*", ["/api/", "/api/x/y"], ["/api", "/apis"]],
  ["/*", ["/", "/x"], [""]],
  ["/", ["/"], ["/x"]],
  ["/api/users/:id", ["/api/users/1"], ["/api/users", "/api/users/", "/api/users/1/x"]],
  ["/api/:plugin/log*", ["/api/x/log", "/api/x/logs", "/api/x/log/y"], ["/api/x/lo", "/api//log"]],
])("%s stands for %p and not for %p", (pattern, meant, others) => {
  expect(isPathPattern(pattern)).toBe(true);
  const matches = createPathTest(pattern);
  for (const path of meant) expect([path, matches(path)]).toEqual([path, true]);
  for (const path of others) expect([path, matches(path)]).toEqual([path, false]);
});

test.each(["", "api", "/a*b", "/a//b", "/a/", "/a b", "/:", "/a/:1", "/a?b", "**", "/%41"])(
  "%p is no pattern of paths",
  (text) => expect(isPathPattern(text)).toBe(false),
);
