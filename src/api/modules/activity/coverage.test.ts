import { beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { factOf, noteActivity } from "#api/core/activity.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import { users } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { addMember } from "#api/testing/add-member.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import type { TestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { activityTypes } from "#contract/activity.ts";
import { listActivity } from "./read-activity.ts";

const database = await databaseForFile();
const world: TestContext = { ...testContext(database), hasher: createCheapHasher() };
const admin = await addMember(world, "admin");
const newRows = createActivityReader(world);
beforeEach(async () => {
  world.clock.advance(61_000);
  await newRows();
  world.published.length = 0;
});

const act = { type: "admin_action", action: "Renamed a user", description: "To Grace" } as const;
const rename = (tx: TestDatabase["db"]) =>
  tx.update(users).set({ name: "Grace" }).where(eq(users.id, admin.user.id)).returning();
const told = { type: "user-changed", userId: "somebody" } as const;

describe("L4: what an admin changes and its record are one:", () => {
  test("the row has who, when, from where and in which request, and what was replaced by what", async () => {
    const ctx = { ...admin.ctx, ip: "203.0.113.9", userAgent: "Browser/1.0", requestId: "a-request" };
    const described = (rows: unknown[]) =>
      ({ description: `${rows.length} renamed`, severity: "high" }) as const;
    await adminAction(ctx, { ...act, described, before: { name: "Ada" }, after: { name: "Grace" } }, rename);
    expect(await newRows()).toMatchObject([
      {
        ...{ pluginName: "core", type: "admin_action", action: "Renamed a user", description: "1 renamed" },
        ...{ status: "success", severity: "high", actorKind: "user" },
        ...{ userId: admin.user.id, userEmail: admin.user.email },
        ...{ requestId: "a-request", ip: "203.0.113.9", userAgent: "Browser/1.0", occurrences: 1 },
        changes: JSON.stringify({ before: { name: "Ada" }, after: { name: "Grace" } }),
        occurredAt: world.clock.now(),
      },
    ]);
  });

  test("it is committed with the change, and others are told after that", async () => {
    const waiting = async () =>
      (await contentsOf(database.db)).filter((row) => row.startsWith("activityInbox ")).length;
    expect(await waiting()).toBe(0);
    let toldEarly: unknown[] = [];
    await adminAction(admin.ctx, { ...act, events: () => [told] }, async () => {
      toldEarly = [...world.published];
    });
    expect([toldEarly, await waiting()]).toEqual([[], 1]);
    expect(world.published).toEqual([told]);
  });

  test("a refusal undoes the change and is recorded as a failure, without before and after", async () => {
    const before = await contentsOf(database.db);
    const refused = adminAction(
      admin.ctx,
      { ...act, before: 1, after: 2, events: () => [told] },
      async (tx) => {
        await rename(tx);
        throw new AppError("LAST_ADMIN");
      },
    );
    expect(await failureOf(refused)).toMatchObject({ kind: "LAST_ADMIN" });
    expect(await contentsOf(database.db)).toEqual(before);
    expect(world.published).toEqual([]);
    const description = `To Grace: ${new AppError("LAST_ADMIN").message}`;
    expect(await newRows()).toMatchObject([{ ...act, description, status: "failure", changes: null }]);
  });

  test("a fault undoes change and row alike", async () => {
    const before = await contentsOf(database.db);
    const faulty = {
      ...act,
      described: () => {
        throw new Error("no words");
      },
    }; // prettier-ignore
    expect(await failureOf(adminAction(admin.ctx, faulty, rename))).toMatchObject({ message: "no words" });
    expect(await contentsOf(database.db)).toEqual(before);
    expect(await newRows()).toEqual([]);
  });

  test("without a place for the row there is no change", async () => {
    const before = await contentsOf(database.db);
    const record = async () => {
      throw new Error("the disk is full");
    };
    const ctx = { ...admin.ctx, activity: { ...admin.ctx.activity, record } };
    expect(await failureOf(adminAction(ctx, act, rename))).toMatchObject({ message: "the disk is full" });
    expect(await contentsOf(database.db)).toEqual(before);
  });

  test("where nothing was changed nothing is recorded", async () => {
    expect(await adminAction(admin.ctx, { ...act, described: () => null }, async () => "kept")).toBe("kept");
    expect(await newRows()).toEqual([]);
  });

  test("only admins and the operator get as far as the change", async () => {
    const member = await addMember(world);
    await newRows();
    const callers = [
      [world, "NOT_SIGNED_IN"],
      [member.ctx, "FORBIDDEN"],
    ] as const;
    for (const [ctx, kind] of callers) {
      const before = await contentsOf(database.db);
      expect(await failureOf(adminAction(ctx, act, rename))).toMatchObject({ kind });
      expect(await contentsOf(database.db)).toEqual(before);
    }
    await adminAction(world.as({ kind: "operator" }), act, rename);
    expect(await newRows()).toMatchObject([{ ...act, actorKind: "operator", userId: null, userEmail: null }]);
  });
});

describe("L4: an activity of every type can be recorded, in a transaction or in passing, and is listed:", () => {
  test.each([...activityTypes])("%s", async (type) => {
    const committed = { type, action: `Committed ${type}`, pluginName: "example", status: "info" } as const;
    const recorded = { type, action: `Recorded ${type}`, severity: "critical" } as const;
    await database.db.transaction((tx) => world.activity.record(tx, factOf(world, committed)));
    world.clock.advance(1);
    noteActivity(world, recorded);
    const page = { limit: 10, offset: 0 };
    const { activities, stats } = await listActivity(admin.ctx, { ...page, type, search: `ed ${type}` });
    const from = { ip: "127.0.0.1", userAgent: "test", requestId: "test", actorKind: "visitor" };
    expect(activities).toMatchObject([
      {
        ...recorded,
        ...from,
        pluginName: "core",
        status: "success",
        timestamp: world.clock.now().toISOString(),
      },
      { ...committed, ...from, severity: "low" },
    ]);
    expect(stats.byType).toEqual({ [type]: 2 });
  });
});
