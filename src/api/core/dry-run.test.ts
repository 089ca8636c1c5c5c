import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contactMessages } from "#api/db/schema.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { planTexts } from "#contract/plan.ts";
import type { Context } from "./context.ts";
import { dryRun } from "./dry-run.ts";

let ctx: TestContext;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await openTestDatabase();
  ctx = testContext({ db: database.db, actor: { kind: "operator" } });
  close = database.close;
});
afterAll(() => close());

const insert = async ({ db, clock }: Context): Promise<string> => {
  const id = Bun.randomUUIDv7();
  await db.insert(contactMessages).values({
    ...{ id, name: "Ada", email: "ada@example.test", subject: "Sales", message: "Hello", ip: "203.0.113.1" },
    ...{ idempotencyKey: id, contentHash: "hash", createdAt: clock.now() },
  });
  return id;
};

const unchanged = async <T>(work: () => Promise<T>): Promise<T> => {
  const before = await fingerprintOf(ctx.db);
  try {
    return await work();
  } finally {
    expect(await fingerprintOf(ctx.db)).toEqual(before);
    expect([ctx.mails, ctx.published]).toEqual([[], []]);
  }
};

describe("a dry run", () => {
  test("hashes no password, for which others would wait", async () => {
    let hashed = 0;
    const hasher = { ...ctx.hasher, hash: async () => String(++hashed) };
    await dryRun({ ...ctx, hasher }, (dry) => dry.hasher.hash("a password"));
    expect(hashed).toBe(0);
  });

  test("reports what an operation returns, records, emails and publishes, and leaves nothing behind", async () => {
    const entry = { type: "admin_action", action: "Did it" } as const;
    const source = { actor: ctx.actor, requestId: null, ip: null, userAgent: null };
    const told = await unchanged(() =>
      dryRun(ctx, async (dry) => {
        const outcome = await dry.db.transaction((tx) => insert({ ...dry, db: tx }));
        await dry.activity.record(dry.db, { entry, source, at: dry.clock.now() });
        await dry.mail.enqueue(dry.db, { to: "ada@example.test", subject: "Hello", text: "", html: "" });
        dry.events.publish({ type: "user-changed", userId: outcome });
        dry.happenings.tell({ name: "settings.changed", section: "core" });
        return outcome;
      }),
    );
    expect(told).toEqual({
      outcome: expect.any(String),
      recorded: [entry],
      mails: [{ to: "ada@example.test", subject: "Hello" }],
      events: [{ type: "user-changed", userId: told.outcome }],
    });
  });

  test("throws what the operation throws, and leaves nothing of that either", async () => {
    const failing = async (dry: Context) => {
      await insert(dry);
      throw new Error("it can't be done");
    };
    await unchanged(async () => {
      await expect(dryRun(ctx, failing)).rejects.toThrow("it can't be done");
    });
  });

  test("fails where a service outside the database was touched, even if the operation hides it", async () => {
    const attempt = async (work: () => Promise<unknown>) => work().catch(() => null);
    const hiding = async ({ objects, plugins, settings }: Context) => {
      await settings.refresh();
      await attempt(async () => objects.state());
      await attempt(async () => plugins.logs("notes", 0));
    };
    await expect(dryRun(ctx, hiding)).rejects.toThrow("a dry run touched objects.state, plugins.logs");
  });

  test("reads objects, starts no plugin and deletes nothing", async () => {
    const bytes = new TextEncoder().encode("package");
    await ctx.objects.put("packages/notes", bytes, { contentType: "application/zip" });
    const deleting = async ({ objects, plugins }: Context) => {
      const found = [await objects.get("packages/notes"), await objects.get("packages/none")];
      for (const { key } of await objects.list("packages/")) await objects.delete(key);
      await objects.delete("packages/notes");
      const candidate = { name: "notes", version: "1.0.0", sha256: "", objectKey: null, granted: [] };
      await (await plugins.try({ ...candidate, migrateFrom: null })).discard();
      await plugins.converge(["notes"]);
      return found;
    };
    expect((await dryRun(ctx, deleting)).outcome).toEqual([bytes, null]);
    expect(await ctx.objects.get("packages/notes")).toEqual(bytes);
  });

  test("ends in time, and whatever continues afterwards reaches no table", async () => {
    const [beside, late] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const stuck = async (dry: Context) => {
      await insert(dry);
      await beside.promise;
      await insert(dry).catch(late.resolve);
    };
    await unchanged(async () => {
      await expect(dryRun(ctx, stuck, 2_000)).rejects.toThrow(planTexts.tooSlow);
      beside.resolve();
      expect(await late.promise).toEqual(new Error("the dry run is over"));
    });
  });

  test("two run at a time, and one that finds sixteen waiting is refused immediately", async () => {
    const held = Promise.withResolvers<void>();
    let most = 0;
    let inside = 0;
    const slow = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await held.promise;
      inside -= 1;
    };
    const runs = Array.from({ length: 18 }, () => dryRun(ctx, slow));
    await expect(dryRun(ctx, slow)).rejects.toThrow(planTexts.tooSlow);
    held.resolve();
    await Promise.all(runs);
    expect([most <= 2, inside]).toEqual([true, 0]);
    await dryRun(ctx, slow);
  });

  test("counts attempts as ever, and forgets none", async () => {
    const budget = { key: "guesses", most: 1, windowMs: 60_000, message: () => "Too often" };
    await dryRun(ctx, ({ attempts }) => attempts.spend([budget]));
    await dryRun(ctx, ({ attempts }) => attempts.clear(["guesses"]));
    await expect(dryRun(ctx, ({ attempts }) => attempts.spend([budget]))).rejects.toThrow("Too often");
  });
});
