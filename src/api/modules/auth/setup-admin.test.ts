import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { hashToken } from "#api/core/ids.ts";
import { users } from "#api/db/schema.ts";
import { findSession } from "#api/modules/sessions/index.ts";
import { insertUser } from "#api/modules/users/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { issueSetupLink, register, setupAdmin, verifyEmail } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await openTestDatabase();
beforeEach(async () => {
  await database.db.delete(users);
});
afterAll(() => database.close());

const invalid = { kind: "TOKEN_INVALID", message: authTexts.setupInvalid };
const everyUser = () => database.db.select().from(users);

const issuedToken = async (ctx: TestContext): Promise<string> => {
  const link = await issueSetupLink(ctx);
  expect(link).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/);
  return link?.split("token=")[1] ?? "";
};

test("Z7: a fresh installation has no account at all, and only the link makes the first", async () => {
  const ctx = testContext(database);
  expect(await everyUser()).toEqual([]);
  for (const email of ["admin@example.com", "admin@localhost.localdomain", "root@example.com"]) {
    expect(await failureOf(login(ctx, { email, password: "admin" }))).toMatchObject({
      kind: "INVALID_CREDENTIALS",
    });
  }
});

test("the link makes a verified admin who is signed in", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const { user, token, deviceToken } = await setupAdmin(ctx, { ...person, token: await issuedToken(ctx) });
  expect(user).toMatchObject({ name: person.name, email: person.email, role: "admin", emailVerified: true });
  expect((await findSession(database.db, hashToken(token)))?.user).toEqual(user);
  expect((await login(ctx, { ...person, presentedDevice: deviceToken })).deviceToken).toBeNull();
  expect(ctx.mails).toEqual([]);
  expect((await login(ctx, person)).user).toEqual(user);
  expect(await issueSetupLink(ctx)).toBeNull();
});

test("A4: the link's token is not in the database", async () => {
  const token = await issuedToken(testContext(database));
  expect((await contentsOf(database.db)).join("\n")).not.toContain(token);
});

describe("T1: of fifty setups at the same time exactly one makes an admin", () => {
  const race = async (ctx: TestContext, attempts: (() => Promise<unknown>)[]) => {
    const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(invalid);
    }
    expect(await everyUser()).toMatchObject([{ role: "admin" }]);
    expect(ctx.mails).toEqual([]);
  };

  test("with different users", async () => {
    const ctx = testContext(database);
    const token = await issuedToken(ctx);
    await race(
      ctx,
      Array.from({ length: 50 }, () => () => setupAdmin(ctx, { ...newPerson(), token })),
    );
  });

  test("with one person", async () => {
    const ctx = testContext(database);
    const token = await issuedToken(ctx);
    const person = newPerson();
    await race(
      ctx,
      Array.from({ length: 20 }, () => () => setupAdmin(ctx, { ...person, token })),
    );
  });
});

test("Z7: a setup beside someone's verification makes no admin once there is a user", async () => {
  const ctx = testContext(database);
  const { browserToken } = await register(ctx, newPerson());
  const token = await issuedToken(ctx);
  const [verified, setUp] = await Promise.allSettled([
    verifyEmail(ctx, { token: tokenIn(ctx.mails[0]), browserToken }),
    setupAdmin(ctx, { ...newPerson(), token }),
  ]);
  expect(verified.status).toBe("fulfilled");
  expect(setUp).toMatchObject({ status: "rejected", reason: invalid });
  expect(await everyUser()).toMatchObject([{ role: "user" }]);
});

test("Z7: a setup waits for the user who is being added at that moment, and then makes no admin", async () => {
  const ctx = testContext(database);
  const token = await issuedToken(ctx);
  const added = Promise.withResolvers<void>();
  const adding = database.db.transaction(async (tx) => {
    const { name, email } = newPerson();
    const user = { id: crypto.randomUUID(), name, email, passwordHash: null, role: "user" as const };
    await insertUser(tx, { ...user, now: ctx.clock.now() });
    await added.promise;
  });
  const settingUp = setupAdmin(ctx, { ...newPerson(), token });
  // Time enough for a setup that does not wait to be done.
  const early = await Promise.race([settingUp.then(() => "done"), Bun.sleep(500).then(() => "waiting")]);
  added.resolve();
  await adding;
  expect(early).toBe("waiting");
  expect(await failureOf(settingUp)).toMatchObject(invalid);
  expect(await everyUser()).toMatchObject([{ role: "user" }]);
});

describe("T2: a setup token is refused before any hash and changes nothing when it", () => {
  const refusals: Record<string, (ctx: TestContext, token: string) => unknown> = {
    "is an hour old": (ctx, token) => {
      ctx.clock.advance(limits.setupTokenMs);
      return token;
    },
    "was used": async (ctx, token) => {
      await setupAdmin(ctx, { ...newPerson(), token });
      await database.db.delete(users);
      return token;
    },
    "was superseded by a newer link": async (ctx, token) => {
      await issuedToken(ctx);
      return token;
    },
    "is the token of a verification": async (ctx) => {
      await register(ctx, newPerson());
      return tokenIn(ctx.mails[0]);
    },
    "is cut short": (_ctx, token) => token.slice(1),
    "is in capitals": (_ctx, token) => token.toUpperCase(),
    "is empty": () => "",
  };

  test.each(Object.entries(refusals))("%s", async (_title, spoil) => {
    const ctx = testContext(database);
    const token = String(await spoil(ctx, await issuedToken(ctx)));
    const before = await contentsOf(database.db);
    const computed = ctx.hasher.computed;
    expect(await failureOf(setupAdmin(ctx, { ...newPerson(), token }))).toMatchObject(invalid);
    expect(await contentsOf(database.db)).toEqual(before);
    expect(ctx.hasher.computed).toBe(computed);
  });
});

test("with an account already there a good link makes no admin and changes nothing", async () => {
  const ctx = testContext(database);
  const token = await issuedToken(ctx);
  await addUser(ctx, newPerson());
  const before = await contentsOf(database.db);
  expect(await failureOf(setupAdmin(ctx, { ...newPerson(), token }))).toMatchObject(invalid);
  expect(await contentsOf(database.db)).toEqual(before);
});

test("W3: a weak password is refused and the link stays good", async () => {
  const ctx = testContext(database);
  const token = await issuedToken(ctx);
  const attempt = setupAdmin(ctx, { ...newPerson({ password: "password1" }), token });
  expect(await failureOf(attempt)).toMatchObject({ errors: [{ path: "password" }] });
  expect((await setupAdmin(ctx, { ...newPerson(), token })).user.role).toBe("admin");
});
