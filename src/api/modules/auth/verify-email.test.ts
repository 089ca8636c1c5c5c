import { describe, expect, test } from "bun:test";
import { users } from "#api/db/schema.ts";
import { insertUser } from "#api/modules/users/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, type Person, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { resetPassword } from "./password-reset.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const invalid = { kind: "TOKEN_INVALID", message: "Invalid or expired verification token" };

/** Registers; the token of the email and the cookie of the browser. */
const mailedToken = async (ctx: TestContext, person: Person) => {
  const { browserToken } = await register(ctx, person);
  return { token: tokenIn(ctx.mails.at(-1)), browserToken };
};

test("following the link in the browser that registered makes the user, who then can sign in; no one is signed in by it", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const answer = await verifyEmail(ctx, await mailedToken(ctx, person));
  expect(answer).toMatchObject({
    message: authTexts.verified,
    data: { name: person.name, email: person.email },
  });
  const { user } = await login(ctx, person);
  expect(user).toMatchObject({
    name: person.name,
    email: person.email,
    role: "user",
    emailVerified: true,
    createdAt: ctx.clock.now().toISOString(),
  });
});

test("anywhere else name and password are asked for, the link stays good, and those that are chosen count", async () => {
  const ctx = testContext(database);
  const person = newPerson({ name: "Some Registrant" });
  const { token } = await mailedToken(ctx, person);
  const ofAnotherAddress = (await register(ctx, newPerson())).browserToken;
  const before = await contentsOf(database.db);
  for (const browserToken of [null, "A".repeat(43), ofAnotherAddress])
    expect(await failureOf(verifyEmail(ctx, { token, browserToken }))).toMatchObject({
      kind: "PASSWORD_WANTED",
      data: { email: person.email },
    });
  expect(await contentsOf(database.db)).toEqual(before);
  const owner = { email: person.email, name: "Owner", password: "the-owners-own-words" };
  const answer = await verifyEmail(ctx, { token, name: " Owner ", password: owner.password });
  expect([answer.message, answer.data]).toEqual([
    authTexts.accountCreated,
    { name: "Owner", email: person.email },
  ]);
  expect((await login(ctx, owner)).user.name).toBe("Owner");
  expect(await failureOf(login(ctx, person))).toMatchObject({ kind: "INVALID_CREDENTIALS" });
});

test("what is chosen must be whole and good, and a refusal leaves the link good", async () => {
  const ctx = testContext(database);
  const { token } = await mailedToken(ctx, newPerson());
  const before = [await contentsOf(database.db), ctx.hasher.computed];
  for (const [chosen, path] of [
    [{ name: "Owner" }, "password"],
    [{ password: "the-owners-own-words" }, "name"],
    [{ name: "Owner", password: "password1" }, "password"],
    [{ name: "Owner", password: "Owner 2026" }, "password"],
  ] as const)
    expect(await failureOf(verifyEmail(ctx, { token, ...chosen }))).toMatchObject({
      kind: "VALIDATION_FAILED",
      errors: [{ path }],
    });
  expect([await contentsOf(database.db), ctx.hasher.computed]).toEqual(before);
});

test("who finds an account made with what this browser had registered can set another password for an hour", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const { data } = await verifyEmail(ctx, await mailedToken(ctx, person));
  const password = "the-owners-own-words";
  await resetPassword(ctx, { token: data.resetToken ?? "", password });
  expect(await failureOf(login(ctx, person))).toMatchObject({ kind: "INVALID_CREDENTIALS" });
  await login(ctx, { ...person, password });
});

test("T1: of fifty uses of one token at the same time exactly one succeeds", async () => {
  const ctx = testContext(database);
  const before = await database.db.$count(users);
  const mailed = await mailedToken(ctx, newPerson());
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => verifyEmail(ctx, mailed)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await database.db.$count(users)).toBe(before + 1);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.kind] : []));
  expect(refused).toEqual(Array.from({ length: 49 }, () => "TOKEN_INVALID"));
});

test("T1: of the links of one address followed at the same time exactly one makes the user", async () => {
  const ctx = testContext(database);
  const before = await database.db.$count(users);
  const { email } = newPerson();
  const mailed: { token: string; browserToken: string }[] = [];
  for (let index = 0; index < 5; index++) {
    mailed.push(await mailedToken(ctx, newPerson({ email })));
    ctx.clock.advance(limits.mailCooldownMs);
  }
  const outcomes = await Promise.allSettled([...mailed, ...mailed].map((one) => verifyEmail(ctx, one)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(invalid);
  }
  expect(await database.db.$count(users)).toBe(before + 1);
});

describe("T2: a token is refused and changes nothing when it", () => {
  const chosen = { name: "Owner", password: "the-owners-own-words" };
  const refusals: Record<string, (ctx: TestContext, token: string, person: Person) => unknown> = {
    "is a day old": (ctx, token) => {
      ctx.clock.advance(limits.verificationTokenMs);
      return token;
    },
    "was used": async (ctx, token) => {
      await verifyEmail(ctx, { token, ...chosen });
      return token;
    },
    "belongs to an address that another link of it verified": async (ctx, token, { email }) => {
      ctx.clock.advance(limits.mailCooldownMs);
      await resendVerification(ctx, { email });
      await verifyEmail(ctx, { token: tokenIn(ctx.mails.at(-1)), ...chosen });
      return token;
    },
    "is the token of a session": async (ctx) => {
      const person = newPerson();
      await addUser(ctx, person);
      return (await login(ctx, person)).token;
    },
    "is cut short": (_ctx, token) => token.slice(0, -1),
    "is in capitals": (_ctx, token) => token.toUpperCase(),
    "is its own hash": (_ctx, token) => new Bun.CryptoHasher("sha256").update(token).digest("hex"),
    "is empty": () => "",
    "is nonsense": () => "\u0000'); drop table users; --",
  };

  test.each(Object.entries(refusals))("%s", async (_title, spoil) => {
    const ctx = testContext(database);
    const person = newPerson();
    const mailed = await mailedToken(ctx, person);
    const token = String(await spoil(ctx, mailed.token, person));
    const before = await contentsOf(database.db);
    for (const tried of [
      { ...mailed, token },
      { token, ...chosen },
    ])
      expect(await failureOf(verifyEmail(ctx, tried))).toMatchObject(invalid);
    expect(await contentsOf(database.db)).toEqual(before);
  });
});

test("a token is good until the last moment of its day", async () => {
  const ctx = testContext(database);
  const mailed = await mailedToken(ctx, newPerson());
  ctx.clock.advance(limits.verificationTokenMs - 1);
  expect(await verifyEmail(ctx, mailed)).toMatchObject({ message: authTexts.verified });
});

test("a link of an address that got an account in the meantime is refused, and the account stays as it is", async () => {
  const ctx = testContext(database);
  const stranger = newPerson({ name: "Stranger" });
  const mailed = await mailedToken(ctx, stranger);
  const owner = newPerson({ email: stranger.email, name: "Owner", password: "the-owners-own-words" });
  const passwordHash = await ctx.hasher.hash(owner.password);
  const { name, email } = owner;
  const now = ctx.clock.now();
  await insertUser(database.db, { id: crypto.randomUUID(), name, email, passwordHash, role: "user", now });
  expect(await failureOf(verifyEmail(ctx, mailed))).toMatchObject(invalid);
  expect((await login(ctx, owner)).user.name).toBe("Owner");
});
