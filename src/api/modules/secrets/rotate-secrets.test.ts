import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { checkKey } from "#api/db/key-check.ts";
import { activities, mails, settingSecrets } from "#api/db/schema.ts";
import { verifyActivity } from "#api/modules/activity/verify-activity.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { fillSealed, openedBy, operatorWith, settingPlace } from "#api/testing/sealed-world.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { planTexts } from "#contract/plan.ts";
import type { RotatedSlice } from "./contract.ts";
import { planRotation, readSecrets, rotateSecrets } from "./rotate-secrets.ts";

const [oldRoot, newRoot] = [randomBytes(32), randomBytes(32)];
const oldBox = createSecretBox(oldRoot);
const newBox = createSecretBox(newRoot);
let database: TestDatabase;
let before: Context;
/** Both keys, as a server has them while the key is changed. */
const bothBox = createSecretBox(newRoot, oldRoot);
let ctx: Context;

beforeEach(async () => {
  database = await openTestDatabase();
  await checkKey(database.db, oldBox);
  before = operatorWith(database.db, oldBox);
  ctx = operatorWith(database.db, bothBox);
});
afterEach(() => database.close());

type Walked = Pick<RotatedSlice, "resealed" | "remaining" | "unreadable"> & { slices: number };

/** Calls until all is done, or as many times as told. */
const rotate = async (by = ctx, most = Number.POSITIVE_INFINITY): Promise<Walked> => {
  const walked: Walked = { resealed: 0, remaining: 0, unreadable: [], slices: 0 };
  for (let after = ""; walked.slices < most; ) {
    const slice = await rotateSecrets(by, { after });
    walked.slices += 1;
    walked.resealed += slice.resealed;
    walked.remaining = slice.remaining;
    walked.unreadable.push(...slice.unreadable);
    expect(slice.resealed).toBeLessThanOrEqual(201);
    if (slice.isComplete) return walked;
    after = slice.after ?? "";
  }
  return walked;
};

const changes = async (): Promise<string[]> => {
  await ctx.activity.settle();
  const rows = await database.db
    .select()
    .from(activities)
    .where(eq(activities.action, "Changed the application's key"));
  return rows.map(({ description }) => description);
};

const verified = (by: Context) => verifyActivity(by, { after: 0, limit: 1_000 });
const isRefused = (root: Uint8Array): Promise<boolean> =>
  checkKey(database.db, createSecretBox(root)).then(
    () => false,
    () => true,
  );

describe("S6: a change of key", () => {
  test("is planned with how much is left under the former key, and refuses what it would refuse", async () => {
    await fillSealed(before, { mails: 2, facts: 0 });
    expect((await planRotation(ctx, {})).summary).toMatch(/^Would encrypt [1-9]\d* values again with key /);
    expect(await failureOf(planRotation(ctx, { after: "nowhere" }))).toMatchObject({
      kind: "VALIDATION_FAILED",
    });
    await rotate();
    expect(await planRotation(ctx, {})).toEqual({ summary: planTexts.nothing });
  });

  test("seals everything again in slices; the new key alone then opens all that the former did", async () => {
    await fillSealed(before, { mails: 450, facts: 6 });
    const readable = await openedBy(database.db, oldBox);
    const walked = await rotate();
    // Three secrets, the emails, three facts that wait, the seal of the log unless those brought it a new one, the key check.
    expect(walked.resealed).toBeGreaterThanOrEqual(457);
    expect(walked).toMatchObject({ remaining: 0, unreadable: [] });
    expect(walked.slices).toBeGreaterThanOrEqual(6);
    expect(await openedBy(database.db, newBox)).toEqual(readable);
    expect([...(await openedBy(database.db, oldBox)).values()].every((value) => value === null)).toBe(true);
    await checkKey(database.db, newBox);
    const after = operatorWith(database.db, newBox);
    expect(await verified(after)).toMatchObject({ fault: null, isComplete: true });
  });

  test("leaves one row about it, with how many and both fingerprints", async () => {
    await fillSealed(before, { mails: 2, facts: 0 });
    await rotate();
    expect(await changes()).toEqual([
      `Encrypted 8 values again, from key ${oldBox.fingerprint} to key ${newBox.fingerprint}`,
    ]);
  });

  test("moves the seal of a log to which nothing is added", async () => {
    await fillSealed(before, { mails: 0, facts: 2 });
    await before.activity.settle();
    const seals = async () => (await readSecrets(ctx)).places.find(({ column }) => column === "seal");
    expect(await seals()).toMatchObject({ current: 0, previous: 1 });
    // Secrets, emails, facts, and the seal.
    await rotate(ctx, 3);
    expect(await seals()).toMatchObject({ previous: 1 });
    await rotate(ctx);
    expect(await seals()).toMatchObject({ current: 1, previous: 0 });
    expect(await verified(operatorWith(database.db, newBox))).toMatchObject({ fault: null });
  });

  test("that is done changes nothing when it is asked for again", async () => {
    await fillSealed(before, { mails: 3, facts: 2 });
    await rotate();
    await ctx.activity.settle();
    const contents = await contentsOf(database.db);
    expect(await rotate()).toMatchObject({ resealed: 0, remaining: 0, unreadable: [] });
    expect(await rotate(operatorWith(database.db, newBox))).toMatchObject({ resealed: 0, remaining: 0 });
    await ctx.activity.settle();
    expect(await contentsOf(database.db)).toEqual(contents);
  });

  test("that was broken off anywhere can be begun again, and until it is through both keys are needed", async () => {
    await fillSealed(before, { mails: 210, facts: 2 });
    const readable = await openedBy(database.db, oldBox);
    for (let slices = 1; slices <= 4; slices += 1) {
      await rotate(ctx, slices);
      expect(await openedBy(database.db, bothBox)).toEqual(readable);
      expect([await isRefused(newRoot), await isRefused(oldRoot)]).toEqual([true, false]);
    }
    await rotate();
    expect([await isRefused(newRoot), await isRefused(oldRoot)]).toEqual([false, true]);
    expect(await openedBy(database.db, newBox)).toEqual(readable);
  });

  test("does not end while another server still stores under the former key", async () => {
    await fillSealed(before, { mails: 3, facts: 0 });
    const first = await rotateSecrets(ctx, {});
    await fillSecret(oldBox, "cloudflareR2.accessKeyId");
    let slice = first;
    while (slice.after !== null) slice = await rotateSecrets(ctx, { after: slice.after });
    expect(slice).toMatchObject({ isComplete: true, remaining: 1 });
    expect([await isRefused(newRoot), await changes()]).toEqual([true, []]);
    expect(await rotate()).toMatchObject({ resealed: 2, remaining: 0 });
    expect(await isRefused(newRoot)).toBe(false);
  });
});

const fillSecret = async (box: typeof oldBox, name: string): Promise<void> => {
  const sealed = box.seal("settings", settingPlace(name), new TextEncoder().encode("late"));
  const row = { name, sealed, updatedAt: ctx.clock.now() };
  await database.db
    .insert(settingSecrets)
    .values(row)
    .onConflictDoUpdate({ target: settingSecrets.name, set: row });
};

/** A database on which someone writes right before the first value is replaced. */
const meddled = (db: Database, meddle: () => Promise<unknown>): Database => {
  let calls = 0;
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== "execute" || typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        calls += 1;
        if (calls === 2) await meddle();
        return Reflect.apply(value, target, args);
      };
    },
  });
};

describe("S6: what is written while the key is changed", () => {
  test("is never replaced by what was there before", async () => {
    await fillSecret(oldBox, "a");
    await fillSecret(oldBox, "b");
    const db = meddled(database.db, () => fillSecret(newBox, "a"));
    expect(await rotateSecrets({ ...ctx, db }, {})).toMatchObject({ resealed: 1, unreadable: [] });
    const opened = await openedBy(database.db, newBox);
    expect([...opened.values()]).toEqual(["late", "late"]);
  });

  test("under the former key, by a server that lacks the new one, is sealed again too", async () => {
    await fillSecret(oldBox, "a");
    const db = meddled(database.db, () => fillSecret(oldBox, "a"));
    expect(await rotateSecrets({ ...ctx, db }, {})).toMatchObject({ resealed: 1, unreadable: [] });
    expect([...(await openedBy(database.db, newBox)).values()]).toEqual(["late"]);
  });

  test("and wiped stays wiped", async () => {
    await fillSecret(oldBox, "a");
    const db = meddled(database.db, () => database.db.delete(settingSecrets));
    expect(await rotateSecrets({ ...ctx, db }, {})).toMatchObject({ resealed: 0, unreadable: [] });
    expect(await database.db.select().from(settingSecrets)).toEqual([]);
  });
});

describe("S6: what neither key opens", () => {
  test("is named by table, column and row, and left as it is; the rest is sealed again", async () => {
    await fillSealed(before, { mails: 4, facts: 0 });
    const [first, second, third] = await database.db.select().from(mails).orderBy(mails.id);
    const put = (id: string | undefined, content: Uint8Array | null | undefined) =>
      database.db
        .update(mails)
        .set({ content: content ?? null })
        .where(eq(mails.id, id ?? ""));
    await put(first?.id, second?.content);
    await put(second?.id, createSecretBox(randomBytes(32)).seal("mail", "elsewhere", new Uint8Array(3)));
    await put(third?.id, third?.content?.with(40, (third.content[40] ?? 0) ^ 1));
    const broken = async () => (await database.db.select().from(mails).orderBy(mails.id)).slice(0, 3);
    const untouched = await broken();
    const { unreadable, remaining } = await rotate();
    expect(unreadable).toEqual(
      [first, second, third].map((mail) => ({ table: "mails", column: "content", id: mail?.id ?? "" })),
    );
    expect(await broken()).toEqual(untouched);
    // To the damaged ones the former key is of no use either.
    expect(remaining).toBe(0);
    expect(await isRefused(newRoot)).toBe(false);
    expect((await rotate()).unreadable).toEqual(unreadable);
  });

  test("S5: a log that was tampered with is not sealed as if Atrium had left it so", async () => {
    await fillSealed(before, { mails: 0, facts: 2 });
    await before.activity.settle();
    await database.db.execute(sql`update activity_chain set head_hash = sha256('x')`);
    const { unreadable } = await rotate();
    expect(unreadable).toEqual([{ table: "activity_chain", column: "seal", id: "1" }]);
    const { fault } = await verified(operatorWith(database.db, newBox));
    expect(fault).not.toBeNull();
  });
});

describe("the call", () => {
  test("is the operator's alone", async () => {
    const people = [{ kind: "visitor" as const }, sessionActor(admin)];
    for (const [index, kind] of ["NOT_SIGNED_IN", "FORBIDDEN"].entries()) {
      const as = { ...ctx, actor: people[index] ?? ctx.actor };
      expect(await failureOf(rotateSecrets(as, {}))).toMatchObject({ kind });
      expect(await failureOf(readSecrets(as))).toMatchObject({ kind });
    }
  });

  test.each(["x", "mails:", "mails:x", "mails:1:x", "activity_chain:0:1", "setting_secrets:0:a b", ":"])(
    "refuses to continue after %j",
    async (after) => {
      expect(await failureOf(rotateSecrets(ctx, { after }))).toMatchObject({ kind: "VALIDATION_FAILED" });
    },
  );
});

const admin = {
  id: "019a9f00-0000-7000-8000-000000000000",
  name: "Ada",
  email: "ada@example.test",
  role: "admin" as const,
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2026-01-01T00:00:00.000Z",
};

test("the state tells both keys and what lies under which", async () => {
  await fillSealed(before, { mails: 2, facts: 0 });
  await fillSecret(newBox, "redis.password");
  const { fingerprint, previousFingerprint, places } = await readSecrets(ctx);
  expect([fingerprint, previousFingerprint]).toEqual([newBox.fingerprint, oldBox.fingerprint]);
  expect(places).toEqual([
    { table: "setting_secrets", column: "sealed", current: 1, previous: 2, unknown: 0 },
    { table: "plugin_secrets", column: "sealed", current: 0, previous: 1, unknown: 0 },
    { table: "totp_secrets", column: "secret", current: 0, previous: 1, unknown: 0 },
    { table: "mails", column: "content", current: 0, previous: 2, unknown: 0 },
    { table: "activity_inbox", column: "fact", current: 0, previous: 0, unknown: 0 },
    { table: "activity_chain", column: "seal", current: 0, previous: 0, unknown: 0 },
    { table: "installation", column: "value", current: 0, previous: 1, unknown: 0 },
  ]);
  const alone = await readSecrets(operatorWith(database.db, newBox));
  expect(alone.previousFingerprint).toBeNull();
  expect(alone.places[3]).toMatchObject({ unknown: 2 });
});
