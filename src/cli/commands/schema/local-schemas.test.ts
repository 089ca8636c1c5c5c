import { describe, expect, test } from "bun:test";
import type { GoalReport } from "#cli/backups/restore-text.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { accounts, core, credentials, site } from "#cli/testing/settings-world.ts";
import { commandSchemas } from "./command-schemas.ts";

/** Where a shape says nothing of a value, or of an object only that it is one. */
const silences = (shape: unknown, path: string): string[] => {
  if (typeof shape !== "object" || shape === null) return [];
  if (Array.isArray(shape)) return shape.flatMap((part, at) => silences(part, `${path}.${at}`));
  const words = Object.keys(shape).filter((word) => word !== "description");
  const isBare = words.length === 0 || (words.join() === "type" && Reflect.get(shape, "type") === "object");
  // `properties` of no name is an object without any.
  if (isBare && !path.endsWith(".properties")) return [path];
  return Object.entries(shape).flatMap(([word, part]) => silences(part, `${path}.${word}`));
};

test("only what can be anything is said to be: answers of other calls, documents, and what plugins keep", () => {
  const silent = Object.entries(commandSchemas).flatMap(([name, shape]) => silences(shape, name));
  expect(silent.toSorted()).toEqual(["api", "openapi.anyOf.1", "plugin settings get.anyOf.1", "schema"]);
});

const report: GoalReport = {
  manifest: {
    ...{ format: 1, version: "1.0.0", createdAt: "2026-11-21T03:00:00.000Z", keyFingerprint: null },
    database: { kind: "postgres", version: "18.0" },
    ...{ migrations: ["0000_accounts"], ownMigrations: [], hasKey: true, tables: ["users"] },
  },
  ...{ tables: [{ table: "users", rows: 3 }], rows: 3, objects: 0, key: "drop-secrets" },
  ended: { sessions: 2, links: 0, apiTokens: 2, scheduledTo: null },
  dropped: {
    ...{ enterAgain: ["credentials.redis.password"], mails: 1, activities: 0 },
    log: {
      headId: 9,
      headHash: "ab",
      anchorId: 0,
      anchorHash: "",
      seal: null,
      fault: "Activity 7 is missing",
    },
  },
  ...{ keptAs: null, into: "/var/lib/atrium", needsAppSecret: false },
};

describe("a schema is kept to", () => {
  test("by a restore that gave secrets up, and by nothing that has a field of another kind", async () => {
    expect(await fitsSchema("restore", JSON.stringify(report))).toEqual(report);
    for (const odd of [{ objects: "none" }, { key: "lost" }, { keptAs: 1 }, { ended: {} }, { dropped: [] }])
      await expect(fitsSchema("restore", JSON.stringify({ ...report, ...odd }))).rejects.toThrow(
        "atrium restore",
      );
  });

  test("by every part of the settings and each kind of value, and by nothing that no setting holds", async () => {
    const { rateLimiting, security } = core;
    const { redis, cloudflareR2 } = credentials;
    const parts = [
      { core, accounts, site, credentials },
      core,
      rateLimiting,
      security,
      accounts,
      site,
      credentials,
      redis,
      cloudflareR2,
    ];
    for (const part of [...parts, "files", 100, true, ["https://storage.example"]])
      expect(await fitsSchema("settings get", JSON.stringify(part))).toEqual(part);
    for (const odd of [null, { redis: {} }, [1], 1.5])
      await expect(fitsSchema("settings get", JSON.stringify(odd))).rejects.toThrow("atrium settings get");
  });
});
