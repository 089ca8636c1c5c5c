import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { users } from "#api/db/schema.ts";
import { endSession, findSession, touchSessions } from "#api/modules/sessions/index.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { login } from "./sign-in.ts";
import { insertPending, takePending } from "./store.ts";

const database = await databaseForFile();

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
  expect(await findSession(database.db, tokenHash)).toEqual({
    user,
    tokenHash,
    confirmedAt: now,
    factorAt: null,
    factor: {
      ...{ role: "user", secondFactorAt: null, factorRequiredFrom: null, givenAt: [] },
      createdAt: new Date(user.createdAt),
    },
    factorsElsewhere: [],
    factors: [],
    createdAt: now,
    expiresAt,
    lastUsedAt: now,
    version: expect.any(String),
  });
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
  await touchSessions(database.db, [{ tokenHash, lastUsedAt: now, expiresAt }]);
  expect(await findSession(database.db, tokenHash)).toMatchObject({ lastUsedAt: now, expiresAt });
  await endSession(database.db, tokenHash);
  await touchSessions(database.db, [{ tokenHash, lastUsedAt: now, expiresAt }]);
  expect(await findSession(database.db, tokenHash)).toBeNull();
});

test("T1: of fifty transactions that take one token at the same time exactly one gets it", async () => {
  const { clock } = testContext(database);
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + limits.verificationTokenMs);
  // Three rounds: on a server, two that only looked before they removed would meet in some of them.
  for (let round = 0; round < 3; round += 1) {
    const { name, email } = newPerson();
    const tokenHash = hashToken(email);
    const dates = { createdAt: now, mailedAt: now, expiresAt };
    const person = { id: crypto.randomUUID(), name, email, emailKey: email, passwordHash: "none" };
    await insertPending(database.db, { ...person, tokenHash, ...dates });
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => database.db.transaction((tx) => takePending(tx, tokenHash, now))),
    );
    expect(taken.filter(Boolean)).toEqual([true]);
  }
});
