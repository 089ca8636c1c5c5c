import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { activityInbox, settings } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { startSettings } from "#api/testing/settings-process.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { updateSettings } from "./change-settings.ts";
import { updateCredentials } from "./credentials.ts";

const endings: (() => unknown)[] = [];
const startProcess = async (...options: Parameters<typeof startSettings>) => {
  const started = await startSettings(...options);
  endings.push(started.stop);
  return started;
};
const database = await databaseForFile();
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  await database.db.execute(sql`truncate settings, setting_secrets, setting_changes`);
});

const good = { ...coreSettings.defaults.rateLimiting };
const corrupt: [section: "core" | "redis" | "cloudflareR2", value: unknown][] = [
  ...[null, 1, "text", [], {}, { rateLimiting: null, security: null }].map((value): ["core", unknown] => [
    "core",
    value,
  ]),
  ...[9, 10_001, 10.5, "100", null, [100]].map((maxRequests): ["core", unknown] => [
    "core",
    { ...coreSettings.defaults, rateLimiting: { ...good, maxRequests } },
  ]),
  ["core", { ...coreSettings.defaults, rateLimiting: { ...good, windowMs: 1 } }],
  ["core", { ...coreSettings.defaults, rateLimiting: { ...good, message: "" } }],
  ["core", { ...coreSettings.defaults, security: { trustProxy: "yes" } }],
  ...[null, {}, { endpoint: 1 }, { endpoint: "nowhere" }, { endpoint: "redis://:p@redis.example" }].map(
    (value): ["redis", unknown] => ["redis", value],
  ),
  ...[
    null,
    {},
    { bucket: "abc" },
    { bucket: "A", endpointS3: "" },
    { bucket: "", endpointS3: "gopher://x" },
  ].map((value): ["cloudflareR2", unknown] => ["cloudflareR2", value]),
];

describe("R9: a stored row that was damaged has its defaults, and says so, but never keeps a process from starting:", () => {
  test.each(corrupt)("%s %j", async (section, value) => {
    const { db } = database;
    const writer = await startProcess(db);
    await updateSettings(writer.ctx, coreSettings, { rateLimiting: { maxRequests: 500 } });
    await updateCredentials(writer.ctx, {
      redis: { endpoint: "redis://redis.example" },
      cloudflareR2: { bucket: "abc" },
    });
    await db.execute(
      sql`update settings set value = ${JSON.stringify(value)}::text::jsonb where section = ${section}`,
    );
    const recorded = createActivityReader(writer.ctx);
    await recorded();
    const { service, logged, ctx } = await startProcess(db);
    expect(service.current.core.rateLimiting.maxRequests).toBe(section === "core" ? 100 : 500);
    expect(service.current.redis === null).toBe(section === "redis");
    expect(logged.filter(({ level }) => level === "error")).toMatchObject([
      {
        message: "a stored setting cannot be used",
        fields: { code: "SETTING_DAMAGED", severity: "critical", setting: section, fault: "damaged" },
      },
    ]);
    await ctx.activity.settle();
    expect(await recorded()).toMatchObject([
      { type: "suspicious_activity", severity: "critical", status: "failure", actorKind: "system" },
    ]);
    // It is said once, and again only when it comes back.
    await service.refresh();
    expect(logged.filter(({ level }) => level === "error")).toHaveLength(1);
    await db.delete(activityInbox);
  });

  test("one that was saved again says so again when it is damaged again", async () => {
    const { service, logged, ctx } = await startProcess(database.db);
    for (const times of [1, 2]) {
      await updateSettings(ctx, coreSettings, { rateLimiting: { maxRequests: 500 + times } });
      await database.db.update(settings).set({ value: {} });
      await service.refresh();
      expect(logged.filter(({ level }) => level === "error")).toHaveLength(times);
    }
  });

  test("what an older version did not know yet has its default, which is no damage", async () => {
    const { message: _, ...known } = good;
    const value = { rateLimiting: { ...known, maxRequests: 50 }, security: {}, later: true };
    await database.db.insert(settings).values({ section: "core", value, updatedAt: new Date() });
    const { service, logged } = await startProcess(database.db);
    expect(service.current.core).toEqual({
      rateLimiting: { ...good, maxRequests: 50 },
      security: coreSettings.defaults.security,
    });
    expect(logged).toEqual([]);
  });
});
