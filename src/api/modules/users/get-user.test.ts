import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#api/db/schema.ts";
import { login } from "#api/modules/auth/index.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { getUser } from "./list-users.ts";

const database = await databaseForFile();
const ctx = testContext({ ...database, actor: { kind: "operator" } });

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("a user is shown with their open sessions, the last used first, and without a hash or token", async () => {
  const person = newPerson();
  const user = await addUser(ctx, person);
  await login({ ...ctx, ip: "192.0.2.1", userAgent: null }, person);
  ctx.clock.advance(1_000);
  await login({ ...ctx, ip: "192.0.2.2", userAgent: firefox }, person);
  const now = ctx.clock.now();
  const detail = await getUser(ctx, { user: user.id });
  expect(detail).toMatchObject({
    ...user,
    disabled: false,
    hasPassword: true,
    secondFactor: null,
    isLastAdmin: false,
    lastSeenAt: now.toISOString(),
    sessionCount: 2,
  });
  expect(detail.sessions.map(({ ip, userAgent, device }) => ({ ip, userAgent, device }))).toEqual([
    { ip: "192.0.2.2", userAgent: firefox, device: "Firefox on Linux" },
    { ip: "192.0.2.1", userAgent: null, device: "Unknown device" },
  ]);
  expect(detail.sessions[0]).toMatchObject({
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + limits.sessionMs).toISOString(),
  });
  expect(JSON.stringify(detail)).not.toMatch(/argon2|[0-9a-f]{64}/);
});

test("expired sessions are not shown", async () => {
  const person = newPerson();
  const user = await addUser(ctx, person);
  await login(ctx, person);
  ctx.clock.advance(limits.sessionMs);
  expect(await getUser(ctx, { user: user.id })).toMatchObject({ sessionCount: 0, sessions: [] });
});

test("a user is found by the address in any spelling that is the same account, and by the id in any case", async () => {
  const user = await addUser(ctx, newPerson({ email: `Grace.${crypto.randomUUID()}@Bücher.example` }));
  for (const handle of [
    user.email,
    user.email.toUpperCase(),
    ` ${user.email} `,
    user.email.replace("Bücher", "xn--bcher-kva"),
    user.id,
    user.id.toUpperCase(),
  ]) {
    expect([handle, (await getUser(ctx, { user: handle })).id]).toEqual([handle, user.id]);
  }
});

test.each(["", "none", "ada", "%", "a@b", "\u0000", "\ud800@x.example", crypto.randomUUID(), "no@x.example"])(
  "%p is no user",
  async (handle) => {
    expect(await failureOf(getUser(ctx, { user: handle }))).toMatchObject({ kind: "NOT_FOUND" });
  },
);

test("the only enabled admin is told apart", async () => {
  const [one, two] = [await addUser(ctx, newPerson(), "admin"), await addUser(ctx, newPerson(), "admin")];
  const isLast = async (id: string) => (await getUser(ctx, { user: id })).isLastAdmin;
  expect([await isLast(one.id), await isLast(two.id)]).toEqual([false, false]);
  await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, two.id));
  expect([await isLast(one.id), await isLast(two.id)]).toEqual([true, false]);
});

test("an account without a password says so", async () => {
  const user = await addUser(ctx, newPerson());
  await database.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
  expect(await getUser(ctx, { user: user.id })).toMatchObject({ hasPassword: false });
});
