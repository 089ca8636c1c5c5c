import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pendingRegistrations, tokens } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson, type Person, tokenIn } from "#api/testing/people.ts";
import { emailKey } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";

const database = await databaseForFile();

const world = (): TestContext => ({ ...testContext(database), hasher: createCheapHasher() });

type Ask = (ctx: TestContext, person: Person) => Promise<unknown>;

// Its answer but for the cookie.
const withoutCookie: Ask = async (ctx, person) => (await register(ctx, person)).message;

/** Each way to have an address emailed, who must have done what for it to work, and how many a day that makes. */
const ways: [string, { prepare: Ask; ask: Ask; aDay: number }][] = [
  ["forgotten passwords", { prepare: addUser, ask: forgotPassword, aDay: 30 }],
  ["new verification links", { prepare: register, ask: resendVerification, aDay: 20 }],
  ["registrations", { prepare: async () => {}, ask: withoutCookie, aDay: 30 }],
  ["registrations of an address that has an account", { prepare: addUser, ask: withoutCookie, aDay: 30 }],
];

const minute = limits.mailCooldownMs;
const hour = 60 * minute;

/** Asks `times` times, a minute apart, each time from another place; resolves to how many emails that made. */
const mailsOf = async (ctx: TestContext, times: number, ask: (from: TestContext) => Promise<unknown>) => {
  const before = ctx.mails.length;
  for (let n = 0; n < times; n += 1) {
    ctx.clock.advance(minute);
    await ask({ ...ctx, ip: `198.51.100.${n}` });
  }
  return ctx.mails.length - before;
};

describe.each(ways)("an address is emailed on strangers' %s", (_title, { prepare, ask, aDay }) => {
  test(`ten times an hour and ${aDay} a day, the answer always the same`, async () => {
    const ctx = world();
    const person = newPerson();
    await prepare(ctx, person);
    const answers = new Set<string>();
    const asked = async (from: TestContext) => void answers.add(JSON.stringify(await ask(from, person)));
    const mails = [];
    for (let round = 0; round < 4; round += 1) {
      mails.push(await mailsOf(ctx, limits.mailsByAddressInAnHour + 2, asked));
      ctx.clock.advance(hour);
    }
    expect(mails).toEqual(aDay === 30 ? [10, 10, 10, 0] : [10, 10, 0, 0]);
    expect(answers.size).toBe(1);
    ctx.clock.advance(24 * hour);
    await prepare(ctx, person).catch(() => {});
    expect(await mailsOf(ctx, 1, (from) => ask(from, person))).toBe(1);
  });

  test("once a minute, however often and in parallel it is asked, the answer always the same", async () => {
    const ctx = world();
    const person = newPerson();
    await prepare(ctx, person);
    const answers = new Set<string>();
    const mailsAfter = async (ms: number) => {
      ctx.clock.advance(ms);
      const before = ctx.mails.length;
      const asked = await Promise.all(Array.from({ length: 20 }, () => ask(ctx, person)));
      for (const answer of asked) answers.add(JSON.stringify(answer));
      return ctx.mails.length - before;
    };
    expect([await mailsAfter(minute), await mailsAfter(minute - 1), await mailsAfter(1)]).toEqual([1, 0, 1]);
    expect(answers.size).toBe(1);
  });
});

test("what is not emailed replaces no link: the last one that was works", async () => {
  const ctx = world();
  const [owner, newcomer] = [newPerson(), newPerson()];
  const { id } = await addUser(ctx, owner);
  const { browserToken } = await register(ctx, newcomer);
  await mailsOf(ctx, limits.mailsByAddressInAnHour + 2, async (from) => {
    await forgotPassword(from, owner);
    await resendVerification(from, newcomer);
  });
  expect(await database.db.select().from(tokens).where(eq(tokens.userId, id))).toHaveLength(1);
  const lastTo = ({ email }: Person) => tokenIn(ctx.mails.findLast(({ to }) => to === email));
  await resetPassword(ctx, { token: lastTo(owner), password: "another-horse-entirely" });
  await verifyEmail(ctx, { token: lastTo(newcomer), browserToken });
});

describe("a stranger does not spend the owner's turns:", () => {
  test("from one network come five links an hour, and the owner's is the next", async () => {
    const ctx = world();
    const person = newPerson();
    await register(ctx, person);
    const stranger = { ...ctx, ip: "203.0.113.7" };
    expect(await mailsOf(ctx, 8, () => resendVerification(stranger, person))).toBe(5);
    expect(await mailsOf(ctx, 1, () => resendVerification(ctx, person))).toBe(1);
  });

  test("from one network come five reset links an hour and twenty a day, and the owner's is the next", async () => {
    const ctx = world();
    const person = newPerson();
    await addUser(ctx, person);
    const stranger = { ...ctx, ip: "203.0.113.7" };
    let spent = 0;
    for (let hours = 0; hours < 6; hours += 1) {
      spent += await mailsOf(ctx, 8, () => forgotPassword(stranger, person));
      ctx.clock.advance(hour);
    }
    expect(spent).toBe(20);
    expect(await mailsOf(ctx, 1, () => forgotPassword(ctx, person))).toBe(1);
  });

  test("who asks in vain every minute keeps no minute from anyone", async () => {
    const ctx = world();
    const person = newPerson();
    await register(ctx, person);
    const stranger = { ...ctx, ip: "203.0.113.7" };
    await mailsOf(ctx, 5, () => resendVerification(stranger, person));
    ctx.clock.advance(minute);
    await resendVerification(stranger, person);
    const before = ctx.mails.length;
    await resendVerification(ctx, person);
    expect(ctx.mails).toHaveLength(before + 1);
  });

  test("the last ten links of a day are for a browser that registered, from a network that did not use up the rest", async () => {
    const ctx = world();
    const person = newPerson();
    const { browserToken } = await register(ctx, person);
    const stranger = { ...ctx, ip: "203.0.113.7" };
    const theirs = await register(stranger, person);
    let spent = 0;
    for (let hours = 0; hours < 5; hours += 1) {
      spent += await mailsOf(ctx, 5, () => resendVerification(stranger, { ...person, ...theirs }));
      ctx.clock.advance(hour);
    }
    expect(spent).toBe(20);
    expect(await mailsOf(ctx, 1, (from) => resendVerification(from, person))).toBe(0);
    expect(await mailsOf(ctx, 1, (from) => resendVerification(from, { ...person, browserToken }))).toBe(1);
  });
});

test("a registration beyond the limit waits without a link", async () => {
  const ctx = world();
  const { email } = newPerson();
  await mailsOf(ctx, limits.mailsByAddressInAnHour + 2, (from) => register(from, newPerson({ email })));
  const rows = await database.db
    .select()
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.emailKey, emailKey(email)));
  expect(rows.filter(({ tokenHash }) => tokenHash !== null)).toHaveLength(limits.mailsByAddressInAnHour);
  expect(rows.filter(({ tokenHash }) => tokenHash === null)).toHaveLength(2);
});

test("each way is counted on its own, and other addresses have their own", async () => {
  const ctx = world();
  const person = newPerson();
  await register(ctx, person);
  expect(await mailsOf(ctx, 12, (from) => resendVerification(from, person))).toBe(10);
  expect(await mailsOf(ctx, 1, (from) => register(from, person))).toBe(1);
  await addUser(ctx, person);
  expect(await mailsOf(ctx, 1, (from) => forgotPassword(from, person))).toBe(1);
  expect(await mailsOf(ctx, 1, (from) => register(from, newPerson()))).toBe(1);
});
