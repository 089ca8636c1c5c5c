import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pendingRegistrations, tokens } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { addUser, newPerson, type Person, tokenIn } from "#api/testing/people.ts";
import { emailKey } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword } from "./forgot-password.ts";
import { register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { verifyEmail } from "./verify-email.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const world = (): TestContext => ({ ...testContext(database), hasher: createCheapHasher() });

type Ask = (ctx: TestContext, person: Person) => Promise<unknown>;

/** Each way to have an address mailed, and who must have done what for it to work. */
const ways: [string, { prepare: Ask; ask: Ask }][] = [
  ["forgotten passwords", { prepare: addUser, ask: forgotPassword }],
  ["new verification links", { prepare: register, ask: resendVerification }],
  ["registrations", { prepare: async () => {}, ask: register }],
  ["registrations of an address that has an account", { prepare: addUser, ask: register }],
];

const minute = limits.mailCooldownMs;
const hour = 60 * minute;

/** Asks `times` times, a minute apart, each time from another place; resolves to how many mails that made. */
const mailsOf = async (ctx: TestContext, times: number, ask: (from: TestContext) => Promise<unknown>) => {
  const before = ctx.mails.length;
  for (let n = 0; n < times; n += 1) {
    ctx.clock.advance(minute);
    await ask({ ...ctx, ip: `198.51.100.${n}` });
  }
  return ctx.mails.length - before;
};

describe.each(ways)("an address is mailed on strangers' %s", (_title, { prepare, ask }) => {
  test("ten times an hour and thirty a day, the answer always the same", async () => {
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
    expect(mails).toEqual([10, 10, 10, 0]);
    expect(answers.size).toBe(1);
    ctx.clock.advance(24 * hour);
    await prepare(ctx, person).catch(() => {});
    expect(await mailsOf(ctx, 1, (from) => ask(from, person))).toBe(1);
  });
});

test("what is not mailed replaces no link: the last one that was works", async () => {
  const ctx = world();
  const [owner, newcomer] = [newPerson(), newPerson()];
  const { id } = await addUser(ctx, owner);
  await register(ctx, newcomer);
  await mailsOf(ctx, limits.mailsByAddressInAnHour + 2, async (from) => {
    await forgotPassword(from, owner);
    await resendVerification(from, newcomer);
  });
  expect(await database.db.select().from(tokens).where(eq(tokens.userId, id))).toHaveLength(1);
  const lastTo = ({ email }: Person) => tokenIn(ctx.mails.findLast(({ to }) => to === email));
  await resetPassword(ctx, { token: lastTo(owner), password: "another-horse-entirely" });
  expect(await verifyEmail(ctx, { token: lastTo(newcomer) })).toMatchObject({ success: true });
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
