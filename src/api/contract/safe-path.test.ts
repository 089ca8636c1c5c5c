import { describe, expect, test } from "bun:test";
import { hostilePaths, ownPaths } from "#api/testing/hostile-paths.ts";
import { safePath, safePathOrDashboard } from "./page-paths.ts";

describe("O3: a path to come back to", () => {
  test.each([...ownPaths])("%j is a page of this site", (path) => {
    expect(safePath(path)).toBe(path);
  });

  test.each([...hostilePaths])("%j is refused, and the dashboard comes next", (path) => {
    expect(safePath(path)).toBeNull();
    expect(safePathOrDashboard(path)).toBe("/dashboard");
  });

  test("whatever passes stays on this site, wherever the site is", () => {
    const pieces = [
      "/",
      "\\",
      "//",
      "/\\",
      "\t",
      "..",
      ".",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
      "%2f",
      "x",
      " ",
    ];
    const origin = "https://app.example";
    for (const a of pieces) {
      for (const b of pieces) {
        for (const c of pieces) {
          const path = safePath(`/${a}${b}${c}`);
          if (path !== null) expect(new URL(path, origin).origin).toBe(origin);
        }
      }
    }
  });

  test("none at all leads to the dashboard", () => {
    for (const none of [null, undefined, ""]) expect(safePathOrDashboard(none)).toBe("/dashboard");
  });
});
