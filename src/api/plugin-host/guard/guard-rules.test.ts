import { beforeEach, expect, test } from "bun:test";
import { createMemoryEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import type { AppEvent } from "#api/core/events.ts";
import { pluginRules } from "#api/db/schema.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import type { GuardRule } from "#plugins/sdk/types.ts";
import { createGuard, createGuardRules } from "./guard.ts";

const database = await databaseForFile();
beforeEach(async () => {
  await database.db.delete(pluginRules);
});

const block: GuardRule = { kind: "ip", action: "block", cidrs: ["10.0.0.0/8"] };

/** Servers on one database that tell each other. */
const begin = () => {
  const events = createMemoryEventBus(createRecordingLog());
  const told: AppEvent[] = [];
  events.subscribe({ "plugins-changed": (event) => void told.push(event) });
  const server = () => {
    const ctx = { ...testContext({ db: database.db }), events };
    const limiter = createLocalRateLimiter(ctx.clock);
    const guard = createGuard({ ...ctx, limiter, countryOf: null, hookFailed: () => {} });
    return { guard, rules: createGuardRules({ ...ctx, guard }) };
  };
  return { told, one: server(), other: server() };
};

test("rules that a plugin sets apply immediately here, and on other servers when they read them", async () => {
  const { one, other, told } = begin();
  await one.rules.save("notes", [block]);
  expect(one.guard.stats("notes")).toHaveLength(1);
  expect(told).toMatchObject([{ type: "plugins-changed" }]);
  expect(other.guard.isIdle).toBe(true);
  await other.rules.refresh(["notes"]);
  expect(other.guard.stats("notes")).toHaveLength(1);
});

test("setting the same rules again announces nothing, and does not reset their counts", async () => {
  const { one, told } = begin();
  await one.rules.save("notes", [block]);
  const set = one.guard.stats("notes");
  await one.rules.save("notes", [block]);
  await one.rules.refresh(["notes"]);
  expect(told).toHaveLength(1);
  expect(one.guard.stats("notes")).toEqual(set);
});

test("they go with the plugin, come back with it, and those of others stay", async () => {
  const { one } = begin();
  await one.rules.save("notes", [block]);
  await one.rules.save("other", [block, block]);
  await one.rules.refresh(["other"]);
  expect([one.guard.stats("notes").length, one.guard.stats("other").length]).toEqual([0, 2]);
  await one.rules.refresh(["other", "notes"]);
  expect(one.guard.stats("notes")).toHaveLength(1);
});

test("stored rules that cannot be used are left out, and nothing fails", async () => {
  const { one } = begin();
  const now = new Date();
  await database.db
    .insert(pluginRules)
    .values({ plugin: "notes", rules: [{ kind: "odd" }], generation: 1, updatedAt: now });
  await one.rules.refresh(["notes"]);
  expect(one.guard.isIdle).toBe(true);
});
