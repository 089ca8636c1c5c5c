import { describe, expect, test } from "bun:test";
import { wholeManifest as whole } from "#api/testing/manifests.ts";
import type { FieldError } from "./errors.ts";
import { compileBrowserPattern, createSchemaCheck } from "./json-schema.ts";
import { manifestSchema, readManifest } from "./plugin-manifest.ts";
import { commandTexts, manifestTexts as texts } from "./plugin-texts.ts";

const problems = (value: unknown) => {
  const result = readManifest(value);
  return "problems" in result ? result.problems : [];
};

describe("the published schema", () => {
  const check = createSchemaCheck(manifestSchema, { compilePattern: compileBrowserPattern });

  // What only readManifest can say: rules between fields, and about what a text shows.
  const beyond = new Set<string>([
    ...[texts.unprintable, texts.blank, texts.ownDependency, texts.permissionTwice, texts.hostsMissing],
    ...[texts.hostsElsewhere, texts.pluginsMissing, texts.pluginsElsewhere, texts.ownCall, texts.needsPage],
    ...[texts.needs("A native backend", "native"), texts.needs("A native frontend", "ui.native")],
    ...[texts.needs("An overlay", "ui.overlay"), texts.needs("A site script", "ui.site")],
    texts.settingsObject,
    ...[commandTexts.twice, commandTexts.pathName("id"), commandTexts.pathRequired, commandTexts.wordNeeded],
    ...[commandTexts.noBody("GET"), commandTexts.noBody("DELETE")],
  ]);

  // A schema of this kind cannot say what keys look like.
  const isBeyond = ({ path, message }: FieldError) =>
    beyond.has(message) || (message === texts.name && path.startsWith("dependsOn.") && !/\d$/.test(path));

  const values = [
    "",
    "x",
    "1.2.3",
    "^1.0.0",
    "a/b.js",
    "a/b.css",
    "/admin/x",
    "routes",
    "ui.page",
    "native",
    "\u202e",
    0,
    1,
    32,
    0.5,
    -1,
    true,
    null,
    [],
    {},
    ["routes"],
    ["licensing"],
    { name: "routes" },
    { entry: "a.js" },
    { enabled: true },
    { schema: {} },
  ];

  /** All places of a manifest, as lists of keys. */
  const placesIn = (value: unknown, path: string[] = []): string[][] =>
    typeof value !== "object" || value === null
      ? [path]
      : [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];

  const replaced = (value: unknown, [key, ...rest]: string[], next: unknown): unknown => {
    if (key === undefined) return next;
    const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
    if (rest.length === 0 && next === undefined) delete copy[key];
    else copy[key] = replaced(copy[key], rest, next);
    return Array.isArray(value) ? Object.values(copy) : copy;
  };

  test("agrees with readManifest on manifests with anything anywhere", () => {
    const places = placesIn(whole).filter((path) => path.length > 0 && path[0] !== "settings");
    let accepted = 0;
    for (const place of places) {
      for (const next of [...values, undefined]) {
        const manifest = replaced(whole, place, next);
        const isRead = problems(manifest).every(isBeyond);
        expect({ place, next, fits: check(manifest).length === 0 }).toEqual({ place, next, fits: isRead });
        if (isRead) accepted += 1;
      }
    }
    expect(accepted).toBeGreaterThan(50);
  });

  test("says which dialect it is, and where it is to be had", () => {
    expect(manifestSchema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(manifestSchema.$id).toStartWith("https://");
  });
});
