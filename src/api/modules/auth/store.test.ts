import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/tokens.ts";
import { users } from "#api/db/schema.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { login } from "./login.ts";
import { findSession, removeSession, touchSession } from "./store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const signIn = async (ctx: TestContext) => {
  const person = newPerson();
  await addUser(ctx, person);
  const { user, token } = await login(ctx, person);
  return { user, tokenHash: hashToken(token) };
};

test("a session is found with its user and its times", async () => {
  const ctx = testContext(database);
  const { user, tokenHash } = await signIn(ctx);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + limits.sessionMs);
  expect(await findSession(database.db, tokenHash)).toEqual({ user, tokenHash, expiresAt, lastUsedAt: now });
});

test("a changed role counts at the very next look", async () => {
  const { user, tokenHash } = await signIn(testContext(database));
  await database.db.update(users).set({ role: "admin" }).where(eq(users.id, user.id));
  expect((await findSession(database.db, tokenHash))?.user.role).toBe("admin");
});

test("the session of a disabled or removed user is not found", async () => {
  const ctx = testContext(database);
  const [disabled, removed] = await Promise.all([signIn(ctx), signIn(ctx)]);
  await database.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.user.id));
  await database.db.delete(users).where(eq(users.id, removed.user.id));
  expect(await findSession(database.db, disabled.tokenHash)).toBeNull();
  expect(await findSession(database.db, removed.tokenHash)).toBeNull();
});

test("a session that is used gets its new end; one that has ended is not brought back", async () => {
  const ctx = testContext(database);
  const { tokenHash } = await signIn(ctx);
  ctx.clock.advance(limits.sessionTouchMs);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + limits.sessionMs);
  await touchSession(database.db, tokenHash, now, expiresAt);
  expect(await findSession(database.db, tokenHash)).toMatchObject({ lastUsedAt: now, expiresAt });
  await removeSession(database.db, tokenHash);
  await touchSession(database.db, tokenHash, now, expiresAt);
  expect(await findSession(database.db, tokenHash)).toBeNull();
});
