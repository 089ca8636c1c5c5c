import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import type { PasswordHasher } from "#api/core/context.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { knownDevices, sessions, tokens, users } from "#api/db/schema.ts";
import { login } from "#api/modules/auth/index.ts";
import { forgetSignInFailures, takeSignInTry } from "#api/modules/passwords/index.ts";
import { findSession, insertDevice } from "#api/modules/sessions/index.ts";
import { addMember, beginAgain } from "#api/testing/add-member.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutTries } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { changePassword } from "./change-password.ts";

const database = await databaseForFile();

const newPassword = "another-horse-entirely";
const wrong = { currentPassword: "not-the-password", newPassword, deviceToken: null };

const sessionsOf = (userId: string) => database.db.select().from(sessions).where(eq(sessions.userId, userId));
const hashOf = async (userId: string): Promise<string> => {
  const [row] = await database.db.select().from(users).where(eq(users.id, userId));
  return row?.passwordHash ?? "";
};

test("W5: the new password is the account's from then on, and the old one is not", async () => {
  const { ctx, user, person } = await addMember(testContext(database));
  await changePassword(ctx, { currentPassword: person.password, newPassword, deviceToken: null });
  const hash = await hashOf(user.id);
  expect(await ctx.hasher.verify(newPassword, hash)).toBe(true);
  expect(await ctx.hasher.verify(person.password, hash)).toBe(false);
});

test("A1, A2: one session is left, a new one, and all older tokens are dead", async () => {
  const world = testContext(database);
  const { ctx, user, person, token } = await addMember(world);
  const others = [await beginAgain(world, user), await beginAgain(world, user)];
  const fresh = await changePassword(ctx, {
    currentPassword: person.password,
    newPassword,
    deviceToken: null,
  });
  expect(fresh.token).not.toBe(token);
  for (const old of [token, ...others.map((other) => other.token)])
    expect(await findSession(database.db, hashToken(old))).toBeNull();
  expect((await sessionsOf(user.id)).map(({ tokenHash }) => tokenHash)).toEqual([hashToken(fresh.token)]);
  expect(ctx.published).toEqual([{ type: "sessions-ended", userId: user.id }]);
});

test("other known browsers of the user are forgotten, those of others are not, and links to a new password end", async () => {
  const world = testContext(database);
  const [{ ctx, user, person }, neighbour] = [await addMember(world), await addMember(world)];
  const now = ctx.clock.now();
  const [own, old, foreign] = [newToken(32), newToken(32), newToken(32)];
  for (const [token, userId] of [
    [own, user.id],
    [old, user.id],
    [foreign, neighbour.user.id],
  ] as const)
    await insertDevice(database.db, { tokenHash: hashToken(token), userId, now });
  const expiresAt = new Date(now.getTime() + limits.resetTokenMs);
  for (const userId of [user.id, neighbour.user.id])
    await database.db.insert(tokens).values({ tokenHash: newToken(32), purpose: "reset", userId, expiresAt });
  await changePassword(ctx, { currentPassword: person.password, newPassword, deviceToken: own });
  const devices = await database.db.select().from(knownDevices);
  expect(devices.map(({ tokenHash }) => tokenHash).sort()).toEqual([own, foreign].map(hashToken).sort());
  const links = await database.db.select().from(tokens);
  expect(links.map(({ userId }) => userId)).toEqual([neighbour.user.id]);
});

test("W5: an email to the stored address tells when, from where and with what, and holds no password", async () => {
  const { ctx, person } = await addMember(testContext(database));
  const seen = { ...ctx, ip: "192.0.2.7", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  await changePassword(seen, { currentPassword: person.password, newPassword, deviceToken: null });
  const [mail, more] = ctx.mails;
  expect(more).toBeUndefined();
  expect(mail).toMatchObject({ to: person.email, subject: "Your password was changed" });
  for (const fact of ["192.0.2.7", "Firefox on Linux", "http://localhost:3000/forgot-password"])
    expect(mail?.text).toContain(fact);
  for (const password of [person.password, newPassword]) expect(JSON.stringify(mail)).not.toContain(password);
});

describe("a change is refused and changes nothing for", () => {
  const cases: [string, { current?: string; next?: string }, object][] = [
    [
      "W5: a wrong current password",
      { current: "not-the-password" },
      { kind: "VALIDATION_FAILED", errors: [{ path: "currentPassword" }] },
    ],
    [
      "the password that it is already",
      { next: "correct-horse-battery" },
      { kind: "VALIDATION_FAILED", errors: [{ path: "newPassword" }] },
    ],
    [
      "W3: a common new password",
      { next: "password1" },
      { kind: "VALIDATION_FAILED", errors: [{ path: "newPassword" }] },
    ],
    [
      "W3: the own name as a new password",
      { next: "AdaExample1815" },
      { kind: "VALIDATION_FAILED", errors: [{ path: "newPassword" }] },
    ],
  ];
  test.each(cases)("%s", async (_title, { current, next }, failure) => {
    const { ctx, person } = await addMember(testContext(database));
    const before = withoutTries(await contentsOf(database.db));
    const input = { currentPassword: current ?? person.password, newPassword: next ?? newPassword };
    expect(await failureOf(changePassword(ctx, { ...input, deviceToken: null }))).toMatchObject(failure);
    expect(withoutTries(await contentsOf(database.db))).toEqual(before);
    expect([ctx.mails, ctx.published]).toEqual([[], []]);
  });

  test("an account without a password, which is told how to get one", async () => {
    const { ctx, user, person } = await addMember(testContext(database));
    await database.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const before = await contentsOf(database.db);
    const input = { currentPassword: person.password, newPassword, deviceToken: null };
    const failure = { kind: "CONFLICT", message: expect.stringContaining("Forgot password") };
    expect(await failureOf(changePassword(ctx, input))).toMatchObject(failure);
    expect(await contentsOf(database.db)).toEqual(before);
  });
});

describe("W2: who holds a session cannot find the password by trying:", () => {
  test("after ten wrong ones even the right one waits a quarter of an hour, in every session", async () => {
    const world = testContext(database);
    const { ctx, user, person } = await addMember(world);
    const other = await beginAgain(world, user);
    const right = { ...wrong, currentPassword: person.password };
    const before = withoutTries(await contentsOf(database.db));
    for (let guess = 0; guess < limits.passwordChecksByUser; guess += 1)
      expect(await failureOf(changePassword(ctx, wrong))).toMatchObject({ kind: "VALIDATION_FAILED" });
    const computed = ctx.hasher.computed;
    const limited = { kind: "RATE_LIMITED", retryAfterS: limits.signInWindowMs / 1000 };
    for (const session of [ctx, other.ctx])
      expect(await failureOf(changePassword(session, right))).toMatchObject(limited);
    expect(ctx.hasher.computed).toBe(computed);
    expect(withoutTries(await contentsOf(database.db))).toEqual(before);
    ctx.clock.advance(limits.signInWindowMs);
    expect((await changePassword(ctx, right)).token).toMatch(/^[\w-]{43}$/);
  });

  test("they count towards the hundred in a row of the address, after which only a reset helps", async () => {
    const world = { ...testContext(database), hasher: createCheapHasher() };
    const { ctx, person } = await addMember(world);
    const right = { ...wrong, currentPassword: person.password };
    const key = emailKey(person.email);
    for (let guess = 0; guess < limits.signInFailuresInARow - 1; guess += 1)
      await takeSignInTry(database.db, key, ctx.clock.now());
    // A right one is none of them, whatever the new password is.
    const samePassword = { ...right, newPassword: person.password };
    for (let turn = 0; turn < 3; turn += 1)
      expect(await failureOf(changePassword(ctx, samePassword))).toMatchObject({
        errors: [{ path: "newPassword" }],
      });
    expect(await failureOf(changePassword(ctx, wrong))).toMatchObject({ kind: "VALIDATION_FAILED" });
    const computed = ctx.hasher.computed;
    ctx.clock.advance(24 * 60 * 60 * 1000);
    const refusal = { kind: "RATE_LIMITED", message: authTexts.signInNeedsReset };
    expect(await failureOf(changePassword(ctx, right))).toMatchObject(refusal);
    expect(ctx.hasher.computed).toBe(computed);
    const signIn = login(world, { email: person.email, password: person.password });
    expect(await failureOf(signIn)).toMatchObject(refusal);
    await forgetSignInFailures(database.db, key);
    expect((await changePassword(ctx, right)).token).toMatch(/^[\w-]{43}$/);
  });

  test("of thirty simultaneous attempts ten are checked", async () => {
    const { ctx } = await addMember(testContext(database));
    const computed = ctx.hasher.computed;
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => changePassword(ctx, wrong)));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(ctx.hasher.computed).toBe(computed + limits.passwordChecksByUser);
  });

  test("someone else's guesses do not count", async () => {
    const world = testContext(database);
    const [{ ctx }, other] = [await addMember(world), await addMember(world)];
    for (let guess = 0; guess < limits.passwordChecksByUser; guess += 1)
      await changePassword(ctx, wrong).catch(() => {});
    const right = { ...wrong, currentPassword: other.person.password };
    expect((await changePassword(other.ctx, right)).token).toMatch(/^[\w-]{43}$/);
  });
});

test("of twenty changes at the same time one wins, the others change nothing and are told so", async () => {
  // Real hashes take turns and would keep apart what is to happen at once.
  const world = { ...testContext(database), hasher: createCheapHasher() };
  const { ctx, user, person } = await addMember(world);
  const passwords = Array.from({ length: 20 }, (_, number) => `${newPassword}-${number}`);
  const outcomes = await Promise.allSettled(
    passwords.map((next) =>
      changePassword(ctx, { currentPassword: person.password, newPassword: next, deviceToken: null }),
    ),
  );
  const winners = outcomes.flatMap((outcome, at) => (outcome.status === "fulfilled" ? [at] : []));
  expect(winners).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ kind: "CONFLICT" });
  const winner = passwords[winners[0] ?? -1] ?? "";
  expect(await ctx.hasher.verify(winner, await hashOf(user.id))).toBe(true);
  expect(await sessionsOf(user.id)).toHaveLength(1);
  expect(ctx.mails).toHaveLength(1);
});

describe("what happens while the hash is computed is not overruled:", () => {
  const cases: [string, (userId: string) => PromiseLike<unknown>, string][] = [
    [
      "a session that is ended",
      (userId) => database.db.delete(sessions).where(eq(sessions.userId, userId)),
      "NOT_SIGNED_IN",
    ],
    [
      "a password that is changed",
      (userId) => database.db.update(users).set({ passwordHash: "changed" }).where(eq(users.id, userId)),
      "CONFLICT",
    ],
    [
      "an account that is disabled",
      (userId) => database.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, userId)),
      "NOT_SIGNED_IN",
    ],
    [
      "an account that is deleted",
      (userId) => database.db.delete(users).where(eq(users.id, userId)),
      "NOT_SIGNED_IN",
    ],
  ];
  test.each(cases)("%s", async (_title, event, kind) => {
    const { ctx, user, person } = await addMember(testContext(database));
    let meanwhile: string[] = [];
    const hasher = hasherThatWaitsFor(async () => {
      await event(user.id);
      meanwhile = withoutTries(await contentsOf(database.db));
    });
    const input = { currentPassword: person.password, newPassword, deviceToken: null };
    expect(await failureOf(changePassword({ ...ctx, hasher }, input))).toMatchObject({ kind });
    expect(withoutTries(await contentsOf(database.db))).toEqual(meanwhile);
    expect(ctx.mails).toEqual([]);
  });
});

/** A real hasher that lets something happen once the new password's hash is there. */
const hasherThatWaitsFor = (event: () => Promise<void>): PasswordHasher => {
  const hasher = createPasswordHasher();
  return {
    ...hasher,
    hash: async (password) => {
      const hash = await hasher.hash(password);
      await event();
      return hash;
    },
  };
};
