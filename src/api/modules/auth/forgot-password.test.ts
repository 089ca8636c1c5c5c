import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { tokens, users } from "#api/db/schema.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { timingGapMs } from "#api/testing/timing-gap.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { register, resendVerification } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const sent = { message: "Password reset instructions have been sent to your email." };
const password = "another-fine-password";

/** Someone with a verified account. */
const owner = async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const { id } = await addUser(ctx, person);
  return { ctx, person, id };
};

/** The same world from a place that no one asked from before. */
let places = 0;
const elsewhere = (ctx: TestContext): TestContext => {
  places += 1;
  return { ...ctx, ip: `198.51.100.${places}` };
};

test("E3: the link goes to the address as it is stored, however it was typed, and the page is ours", async () => {
  const { ctx, person } = await owner();
  expect(await forgotPassword(ctx, { email: ` ${person.email.toUpperCase()} ` })).toEqual(sent);
  expect(ctx.mails).toHaveLength(1);
  const [mail] = ctx.mails;
  expect(mail?.to).toBe(person.email);
  expect(mail?.link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/);
});

test("E3: an address that only looks like an account's gets nothing, and neither does the account", async () => {
  const ctx = testContext(database);
  const { email } = await addUser(ctx, newPerson({ email: `mike.${crypto.randomUUID()}@example.test` }));
  for (const alike of [email.replace("mike", "mıke"), email.replace("mike", "míke")]) {
    await forgotPassword(ctx, { email: alike });
  }
  expect(ctx.mails).toEqual([]);
});

test("A4: the token is stored as its hash alone", async () => {
  const { ctx, person, id } = await owner();
  await forgotPassword(ctx, person);
  const token = tokenIn(ctx.mails[0]);
  expect((await contentsOf(database.db)).join("\n")).not.toContain(token);
  const [stored] = await database.db.select().from(tokens).where(eq(tokens.userId, id));
  expect(stored).toMatchObject({
    tokenHash: hashToken(token),
    purpose: "reset",
    expiresAt: new Date(ctx.clock.now().getTime() + limits.resetTokenMs),
  });
});

test("an account without a password is emailed too: it is how it gets one", async () => {
  const { ctx, person, id } = await owner();
  await database.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
  await addIdentity(database.db, { userId: id, provider: "google", subject: id });
  await forgotPassword(ctx, person);
  await resetPassword(ctx, { token: tokenIn(ctx.mails[0]), password });
  expect((await login(ctx, { ...person, password })).user.id).toBe(id);
});

test("T2: a newer link ends the older one", async () => {
  const { ctx, person } = await owner();
  await forgotPassword(ctx, person);
  ctx.clock.advance(limits.mailCooldownMs);
  await forgotPassword(ctx, person);
  const [older, newer] = ctx.mails.map(tokenIn);
  expect(await failureOf(resetPassword(ctx, { token: older ?? "", password }))).toMatchObject({
    kind: "TOKEN_INVALID",
  });
  await resetPassword(ctx, { token: newer ?? "", password });
});

test("within a minute an account is emailed once, however often and in parallel it is asked", async () => {
  const { ctx, person, id } = await owner();
  const asked = await Promise.all(Array.from({ length: 20 }, () => forgotPassword(ctx, person)));
  expect(asked).toEqual(Array.from({ length: 20 }, () => sent));
  expect(ctx.mails).toHaveLength(1);
  expect(await database.db.select().from(tokens).where(eq(tokens.userId, id))).toHaveLength(1);
});

test("asking for verification links in a stranger's name does not prevent the reset, nor the other way around", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await register(ctx, person);
  await forgotPassword(ctx, person);
  await addUser(ctx, person);
  await resendVerification(ctx, person);
  expect(ctx.mails).toHaveLength(1);
  await forgotPassword(ctx, person);
  expect(ctx.mails).toHaveLength(2);
});

describe("E1: the answer is the same and as slow, no one is emailed and nothing changes, for", () => {
  const cases: Record<string, (ctx: TestContext) => Promise<string>> = {
    "an unknown address": async () => newPerson().email,
    "a registration that waits for its link": async (ctx) => {
      const person = newPerson();
      await register({ ...ctx, mail: testContext(database).mail }, person);
      return person.email;
    },
    "an account whose address was not verified": async (ctx) => {
      const { id, email } = await addUser(ctx, newPerson());
      await database.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id));
      return email;
    },
    "a disabled account": async (ctx) => {
      const { id, email } = await addUser(ctx, newPerson());
      await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, id));
      return email;
    },
  };
  test.each(Object.entries(cases))("%s", async (_title, prepare) => {
    const { ctx, person } = await owner();
    const email = await prepare(ctx);
    const before = await contentsOf(database.db);
    expect(await forgotPassword(ctx, { email })).toEqual(sent);
    expect(ctx.mails).toEqual([]);
    expect(await contentsOf(database.db)).toEqual(before);
    const ask = async (asked: string) => {
      ctx.clock.advance(limits.mailCooldownMs);
      await forgotPassword(elsewhere(ctx), { email: asked });
    };
    const gapMs = await timingGapMs(
      () => ask(person.email),
      () => ask(email),
      10,
    );
    expect(gapMs).toBeLessThan(10);
    expect(ctx.mails.length).toBeGreaterThan(5);
  });
});

describe("requests for emails from one place", () => {
  test("email no one for a while after a hundred, of both kinds together, and answer alike and as slowly", async () => {
    const { ctx, person, id } = await owner();
    await forgotPassword(elsewhere(ctx), person);
    ctx.clock.advance(limits.mailCooldownMs);
    await Promise.all(
      Array.from({ length: limits.mailRequestsByIp }, (_, n) =>
        n % 2 ? forgotPassword(ctx, newPerson()) : resendVerification(ctx, newPerson()),
      ),
    );
    const before = await contentsOf(database.db);
    for (const { email } of [person, newPerson()]) {
      const begun = performance.now();
      expect(await forgotPassword(ctx, { email })).toEqual(sent);
      expect(performance.now() - begun).toBeGreaterThan(35);
      expect(await resendVerification(ctx, { email })).toEqual({ message: authTexts.resent });
    }
    expect(await contentsOf(database.db)).toEqual(before);
    expect(await database.db.select().from(tokens).where(eq(tokens.userId, id))).toHaveLength(1);
    expect(ctx.mails).toHaveLength(1);
    await forgotPassword(elsewhere(ctx), person);
    expect(ctx.mails).toHaveLength(2);
    ctx.clock.advance(limits.signInWindowMs);
    await forgotPassword(ctx, person);
    expect(ctx.mails).toHaveLength(3);
  });

  test("count as one place when they come from one network of IPv6", async () => {
    const { ctx, person } = await owner();
    const from = (ip: string): TestContext => ({ ...ctx, ip });
    const neighbors = Array.from(
      { length: limits.mailRequestsByIp },
      (_, n) => `2001:db8:7:1::${n.toString(16)}`,
    );
    await Promise.all(neighbors.map((ip) => forgotPassword(from(ip), newPerson())));
    await forgotPassword(from("2001:db8:7:1::ffff"), person);
    expect(ctx.mails).toEqual([]);
    await forgotPassword(from("2001:db8:7:2::1"), person);
    expect(ctx.mails).toHaveLength(1);
  });
});
