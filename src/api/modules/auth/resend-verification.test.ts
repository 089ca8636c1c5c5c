import { afterAll, beforeAll, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { timingGapMs } from "#api/testing/timing-gap.ts";
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

const sent = { success: true as const, message: "Verification email sent! Please check your inbox." };

test("a new link is mailed to the address as it is stored; it works and the older one ends", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await register(ctx, person);
  ctx.clock.advance(limits.mailCooldownMs);
  expect(await resendVerification(ctx, { email: ` ${person.email.toUpperCase()}` })).toEqual(sent);
  const [older, newer] = ctx.mails;
  expect(newer?.to).toBe(person.email);
  expect(await failureOf(verifyEmail(ctx, { token: tokenIn(older) }))).toMatchObject({
    kind: "TOKEN_INVALID",
  });
  await verifyEmail(ctx, { token: tokenIn(newer) });
  expect((await login(ctx, person)).user.email).toBe(person.email);
});

test("the newest registration is the one that is mailed, and older links stay good", async () => {
  const ctx = testContext(database);
  const first = newPerson({ name: "First" });
  await register(ctx, first);
  ctx.clock.advance(1_000);
  await register(ctx, newPerson({ email: first.email, name: "Second" }));
  ctx.clock.advance(limits.mailCooldownMs);
  await resendVerification(ctx, { email: first.email });
  expect(ctx.mails).toHaveLength(2);
  expect(ctx.mails[1]?.text).toContain("Second");
  await verifyEmail(ctx, { token: tokenIn(ctx.mails[0]) });
  expect((await login(ctx, first)).user.name).toBe("First");
});

test("a resend makes the day begin anew", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await register(ctx, person);
  ctx.clock.advance(limits.verificationTokenMs - 1);
  await resendVerification(ctx, { email: person.email });
  ctx.clock.advance(limits.verificationTokenMs - 1);
  expect(await verifyEmail(ctx, { token: tokenIn(ctx.mails[1]) })).toMatchObject({ success: true });
});

test("within a minute of any mail nothing is mailed, however often and in parallel it is asked", async () => {
  const ctx = testContext(database);
  const { email } = newPerson();
  await register(ctx, newPerson({ email }));
  const before = await contentsOf(database.db);
  const asked = await Promise.all(Array.from({ length: 10 }, () => resendVerification(ctx, { email })));
  expect(asked).toEqual(Array.from({ length: 10 }, () => sent));
  expect(await contentsOf(database.db)).toEqual(before);
  ctx.clock.advance(limits.mailCooldownMs);
  await Promise.all(Array.from({ length: 20 }, () => resendVerification(ctx, { email })));
  expect(ctx.mails).toHaveLength(2);
});

test("E1: unknown and verified addresses and ended registrations get the same answer, no mail, and change nothing", async () => {
  const ctx = testContext(database);
  const verified = newPerson();
  const ended = newPerson();
  await addUser(ctx, verified);
  await register(ctx, ended);
  ctx.clock.advance(limits.verificationTokenMs);
  const before = await contentsOf(database.db);
  for (const { email } of [newPerson(), verified, ended]) {
    expect(await resendVerification(ctx, { email })).toEqual(sent);
  }
  expect(ctx.mails).toHaveLength(1);
  expect(await contentsOf(database.db)).toEqual(before);
});

test("E1: an address with a waiting registration is answered as slowly as an unknown one", async () => {
  const ctx = testContext(database);
  const waiting = newPerson();
  await register(ctx, waiting);
  const answer = async (email: string) => {
    ctx.clock.advance(limits.mailCooldownMs);
    await resendVerification(ctx, { email });
  };
  const gapMs = await timingGapMs(
    () => answer(waiting.email),
    () => answer(newPerson().email),
    10,
  );
  expect(gapMs).toBeLessThan(10);
  expect(ctx.mails.length).toBeGreaterThan(10);
});

test("asking for an address nobody registered does not keep its first mail away", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await resendVerification(ctx, { email: person.email });
  await register(ctx, person);
  expect(ctx.mails).toHaveLength(1);
});
