import { describe, expect, test } from "bun:test";
import type { ApiDocument } from "../client/describe-operations.ts";
import { objectionsToKeeping } from "./breaking-changes.ts";

const documentOf = (...paths: string[]): ApiDocument => ({
  info: { version: "1.2.0" },
  paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
});
const [before, after] = [documentOf("/notes", "/tags"), documentOf("/notes", "/more")];
const unreleased = {
  version: "1.2.0",
  changelog: "# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [1.1.0] - 2026-01-31\n",
  tags: ["v1.1.0", "v1.2.0-beta.1", "v11.2.0"],
};
const released = {
  heading: { ...unreleased, changelog: "# Changelog\n\n## [1.2.0] - 2026-02-28\n" },
  tag: { ...unreleased, tags: ["v1.1.0", "v1.2.0"] },
};

describe("the document of a version that is kept already", () => {
  test("can be replaced any number of times until the version is released", () => {
    expect(objectionsToKeeping(before, after, unreleased)).toEqual([]);
  });

  test.each(Object.entries(released))(
    "is not replaced by one that breaks it once there is a %s for it",
    (_, signs) => {
      expect(objectionsToKeeping(before, after, signs)).toEqual(["GET /tags was removed"]);
    },
  );

  test.each(Object.entries(released))("is replaced by one that only adds to it, %s or not", (_, signs) => {
    expect(objectionsToKeeping(before, documentOf("/notes", "/tags", "/more"), signs)).toEqual([]);
  });

  test("can be kept for the first time whenever that is", () => {
    expect(objectionsToKeeping(null, after, released.tag)).toEqual([]);
  });
});
