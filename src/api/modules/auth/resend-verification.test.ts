import { expect, test } from "bun:test";
import { hashToken } from "#api/core/ids.ts";
import { pendingRegistrations } from "#api/db/schema.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { timingGapMs } from "#api/testing/timing-gap.ts";
import { limits } from "#contract/limits.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const sent = { message: "Verification email sent! Please check your inbox." };

test("a new link is emailed to the address as it is stored; the older one stays good for its own day", async () => {
  for (const followed of [0, 1]) {
    const ctx = testContext(database);
    const person = newPerson();
    const { browserToken } = await register(ctx, person);
    ctx.clock.advance(limits.verificationTokenMs - 1);
    expect(await resendVerification(ctx, { email: ` ${person.email.toUpperCase()}` })).toEqual(sent);
    expect(ctx.mails[1]?.to).toBe(person.email);
    await verifyEmail(ctx, { token: tokenIn(ctx.mails[followed]), browserToken });
    expect((await login(ctx, person)).user.email).toBe(person.email);
  }
});

test("an older link ends with its own day, whatever is emailed after it", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const { browserToken } = await register(ctx, person);
  ctx.clock.advance(limits.mailCooldownMs);
  await resendVerification(ctx, person);
  ctx.clock.advance(limits.verificationTokenMs - limits.mailCooldownMs);
  const [older, newer] = ctx.mails.map(tokenIn);
  expect(await failureOf(verifyEmail(ctx, { token: older ?? "", browserToken }))).toMatchObject({
    kind: "TOKEN_INVALID",
  });
  await verifyEmail(ctx, { token: newer ?? "", browserToken });
});

test("without a cookie the newest registration is renewed, with one that of the browser", async () => {
  const ctx = testContext(database);
  const first = newPerson({ name: "First" });
  const { browserToken } = await register(ctx, first);
  ctx.clock.advance(1_000);
  const second = await register(ctx, newPerson({ email: first.email, name: "Second" }));
  const renewedAt = async (token: string | null, hours: number) => {
    ctx.clock.advance(hours * 60 * 60 * 1_000);
    await resendVerification(ctx, { email: first.email, browserToken: token });
    return ctx.clock.now().getTime() + limits.verificationTokenMs;
  };
  const endOf = async ({ browserToken: token }: { browserToken: string }) => {
    const rows = await database.db.select().from(pendingRegistrations);
    return rows.find(({ browserHash }) => browserHash === hashToken(token))?.expiresAt.getTime();
  };
  const newest = await renewedAt(null, 1);
  expect(await endOf(second)).toBe(newest);
  const own = await renewedAt(browserToken, 1);
  expect([await endOf({ browserToken }), await endOf(second)]).toEqual([own, newest]);
  // A cookie that names no registration of this address is as good as none.
  const other = await renewedAt("A".repeat(43), 1);
  expect(await endOf(second)).toBe(other);
});

test("a resend makes the day begin again", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  const { browserToken } = await register(ctx, person);
  ctx.clock.advance(limits.verificationTokenMs - 1);
  await resendVerification(ctx, { email: person.email });
  ctx.clock.advance(limits.verificationTokenMs - 1);
  const verified = await verifyEmail(ctx, { token: tokenIn(ctx.mails[1]), browserToken });
  expect(verified).toMatchObject({ data: { email: person.email } });
});

test("within a minute of any email nothing is emailed, however often and in parallel it is asked", async () => {
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

test("E1: unknown and verified addresses and ended registrations get the same answer, no email, and change nothing", async () => {
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
  // Each time from another network: one of them gets five links an hour.
  let places = 0;
  const answer = async (email: string) => {
    ctx.clock.advance(limits.mailCooldownMs);
    places += 1;
    await resendVerification({ ...ctx, ip: `198.51.100.${places}` }, { email });
  };
  const gapMs = await timingGapMs(
    () => answer(waiting.email),
    () => answer(newPerson().email),
    10,
  );
  expect(gapMs).toBeLessThan(10);
  expect(ctx.mails.length).toBeGreaterThan(10);
});

test("asking for an address no one registered does not keep its first email away", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await resendVerification(ctx, { email: person.email });
  await register(ctx, person);
  expect(ctx.mails).toHaveLength(1);
});
