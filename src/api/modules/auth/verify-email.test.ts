import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { users } from "#api/db/schema.ts";
import { insertUser } from "#api/modules/users/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, type Person, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { login } from "./login.ts";
import { register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { verifyEmail } from "./verify-email.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const invalid = { kind: "TOKEN_INVALID", message: "Invalid or expired verification token" };

/** Registers and gives the token of the mail. */
const mailedToken = async (ctx: TestContext, person: Person): Promise<string> => {
  await register(ctx, person);
  return tokenIn(ctx.mails.at(-1));
};

test("following the link makes the user, who then can sign in; nobody is signed in by it", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const token = await mailedToken(ctx, person);
  const answer = await verifyEmail(ctx, { token });
  expect(answer).toEqual({ success: true, message: authTexts.verified });
  const { user } = await login(ctx, person);
  expect(user).toMatchObject({
    name: person.name,
    email: person.email,
    role: "user",
    emailVerified: true,
    createdAt: ctx.clock.now().toISOString(),
  });
});

test("of several registrations of an address, the one whose link was followed gives the name and the password", async () => {
  for (const followed of [0, 2]) {
    const ctx = testContext(database);
    const { email } = newPerson();
    const applicants = ["First", "Second", "Third"].map((name) =>
      newPerson({ email, name, password: `${name}-registration` }),
    );
    const tokens: string[] = [];
    for (const applicant of applicants) {
      tokens.push(await mailedToken(ctx, applicant));
      ctx.clock.advance(limits.mailCooldownMs);
    }
    await verifyEmail(ctx, { token: tokens[followed] ?? "" });
    const outcomes = await Promise.allSettled(applicants.map((applicant) => login(ctx, applicant)));
    const names = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.user.name : null,
    );
    expect(names).toEqual(applicants.map(({ name }, index) => (index === followed ? name : null)));
  }
});

test("T1: of fifty uses of one token at once exactly one succeeds", async () => {
  const ctx = testContext(database);
  const before = await database.db.$count(users);
  const token = await mailedToken(ctx, newPerson());
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => verifyEmail(ctx, { token })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await database.db.$count(users)).toBe(before + 1);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.kind] : []));
  expect(refused).toEqual(Array.from({ length: 49 }, () => "TOKEN_INVALID"));
});

test("T1: of the links of one address followed at once exactly one makes the user", async () => {
  const ctx = testContext(database);
  const before = await database.db.$count(users);
  const { email } = newPerson();
  const tokens: string[] = [];
  for (let index = 0; index < 5; index++) {
    tokens.push(await mailedToken(ctx, newPerson({ email })));
    ctx.clock.advance(limits.mailCooldownMs);
  }
  const outcomes = await Promise.allSettled(
    [...tokens, ...tokens].map((token) => verifyEmail(ctx, { token })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(invalid);
  }
  expect(await database.db.$count(users)).toBe(before + 1);
});

describe("T2: a token is refused and changes nothing when it", () => {
  const refusals: Record<string, (ctx: TestContext, token: string, person: Person) => unknown> = {
    "is a day old": (ctx, token) => {
      ctx.clock.advance(limits.verificationTokenMs);
      return token;
    },
    "was used": async (ctx, token) => {
      await verifyEmail(ctx, { token });
      return token;
    },
    "was superseded by a resend": async (ctx, token, { email }) => {
      ctx.clock.advance(limits.mailCooldownMs);
      await resendVerification(ctx, { email });
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
    const token = String(await spoil(ctx, await mailedToken(ctx, person), person));
    const before = await contentsOf(database.db);
    expect(await failureOf(verifyEmail(ctx, { token }))).toMatchObject(invalid);
    expect(await contentsOf(database.db)).toEqual(before);
  });
});

test("a token is good until the last moment of its day", async () => {
  const ctx = testContext(database);
  const token = await mailedToken(ctx, newPerson());
  ctx.clock.advance(limits.verificationTokenMs - 1);
  expect(await verifyEmail(ctx, { token })).toMatchObject({ success: true });
});

test("a link of an address that got an account in the meantime is refused, and the account stays as it is", async () => {
  const ctx = testContext(database);
  const stranger = newPerson({ name: "Stranger" });
  const token = await mailedToken(ctx, stranger);
  const owner = newPerson({ email: stranger.email, name: "Owner", password: "the-owners-own-words" });
  const passwordHash = await ctx.hasher.hash(owner.password);
  const { name, email } = owner;
  const now = ctx.clock.now();
  await insertUser(database.db, { id: crypto.randomUUID(), name, email, passwordHash, role: "user", now });
  expect(await failureOf(verifyEmail(ctx, { token }))).toMatchObject(invalid);
  expect((await login(ctx, owner)).user.name).toBe("Owner");
});
