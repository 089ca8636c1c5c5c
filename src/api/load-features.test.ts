import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "#api/testing/failure-of.ts";
import { defineFeature, operation } from "#app";
import { programSite } from "#contract/program-site.ts";
import { loadFeatures, ownSiteComplaint } from "./load-features.ts";

const feature = (name: string, path = `/api/${name}`, more: object = {}) => {
  const contract = {
    list: operation(`GET ${path as "/api"}`, {
      ...{ access: "public", responds: "bare", summary: "List", description: "List" },
      schemas: () => ({}),
      ...more,
    }),
  } as const;
  const server = { operations: { list: async () => undefined } };
  return defineFeature({ name, title: "Boats", contract, server: async () => ({ server }) });
};

test("a feature's operations are named after it", async () => {
  const [loaded] = await loadFeatures([feature("sail-boats")]);
  expect(loaded?.operations.map(({ id }) => id)).toEqual(["sailBoats.list"]);
});

describe("refused, with its name and the reason, is a feature", () => {
  test.each([
    [
      "whose name Atrium uses",
      [feature("settings")],
      'The feature "settings" can\'t be used: Atrium uses this name',
    ],
    ["named like a command", [feature("doctor")], "Atrium uses this name"],
    ["named like a shipped plugin", [feature("firewall")], "Atrium uses this name"],
    ["named like a module", [feature("second-factors")], "Atrium uses this name"],
    ["that can't be a folder", [feature("Boats")], "lowercase letters"],
    ["with an address elsewhere", [feature("boats", "/api/ships")], "GET /api/ships is not below /api/boats"],
    ["with an address that only begins alike", [feature("boats", "/api/boats-2")], "is not below /api/boats"],
    [
      "whose commands have no word to be under",
      [feature("boats", "/api/boats", { commands: [{ name: "list", summary: "", examples: [] }] })],
      'GET /api/boats has a command, so defineFeature needs "commands"',
    ],
    [
      "listed twice",
      [feature("boats"), feature("boats")],
      'Two features in src/plugins/own.ts are named "boats"',
    ],
  ])("%s", async (_, features, reason) => {
    expect(await failureOf(loadFeatures(features))).toMatchObject({
      name: "UnusableFeatureError",
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    ["cron", { cron: "61 * * * *" }, 'its job "sail" is wrong: the cron expression "61 * * * *"'],
    ["day", { cron: "0 0 30 2 *" }, 'the cron expression "0 0 30 2 *" names no time'],
    ["time zone", { cron: "0 7 * * *", timeZone: "Mars/Olympus" }, "or its time zone is wrong"],
    ["interval", { everyMs: 1_000 }, "everyMs is at least 60000"],
  ])("whose job has no such %s", async (_, times, reason) => {
    const server = { operations: {}, jobs: { sail: { ...times, run: async () => undefined } } };
    const boats = { ...feature("boats"), server: async () => ({ server }) };
    expect(await failureOf(loadFeatures([boats]))).toMatchObject({
      message: expect.stringContaining(reason),
    });
  });

  test("that throws while it is loaded, with the line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "atrium-feature-"));
    const file = join(folder, "src", "plugins", "boats", "server.ts");
    await Bun.write(file, 'export {};\nthrow new Error("no sail");\n');
    const broken = { ...feature("boats"), server: () => import(file) };
    expect(await failureOf(loadFeatures([broken]))).toMatchObject({
      message:
        'The feature "boats" could not be loaded, and Atrium does not start without it: no sail (src/plugins/boats/server.ts:2)',
    });
    rmSync(folder, { recursive: true });
  });
});

test("an identity of the build that no admin could set is named with its field", () => {
  expect(ownSiteComplaint(programSite)).toBeNull();
  expect(ownSiteComplaint({ ...programSite, accent: "teal" })).toStartWith(
    "src/plugins/own-site.ts: accent: Accent color must be",
  );
});
