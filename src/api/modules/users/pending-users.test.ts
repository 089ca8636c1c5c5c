import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { login, register } from "#api/modules/auth/index.ts";
import { resetPassword } from "#api/modules/auth/password-reset.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { listPending, removePending, verifyPending } from "./list-users.ts";

const database: TestDatabase = await openTestDatabase();
let ctx: TestContext;
beforeEach(async () => {
  await database.db.delete(users);
  await database.db.delete(pendingRegistrations);
  ctx = testContext({ ...database, actor: { kind: "operator" } });
});
afterAll(() => database.close());

const waiting = async (search = "", limit = 25, offset = 0) => listPending(ctx, { search, limit, offset });
const idOf = async (email: string): Promise<string> => (await waiting(email)).users[0]?.id ?? "";

/** Registers one after the other, a second apart. */
const registerAll = async (...people: Parameters<typeof register>[1][]): Promise<void> => {
  for (const person of people) {
    await register(ctx, person);
    ctx.clock.advance(1_000);
  }
};

describe("registrations that wait", () => {
  test("are listed one row an address, by the newest with the count of all, newest first", async () => {
    const ada = newPerson({ name: "Ada First", email: "Ada@Waiting.example" });
    const grace = newPerson({ name: "Grace", email: "grace@waiting.example" });
    await registerAll(ada, grace, { ...ada, name: "Ada Second", email: "ada@waiting.example" });
    const { users: rows, pagination } = await waiting();
    expect(pagination).toEqual({ total: 2, totalIsEstimate: false, limit: 25, offset: 0 });
    expect(rows).toMatchObject([
      { name: "Ada Second", email: "ada@waiting.example", registrations: 2, mailedAt: null },
      { name: "Grace", email: "grace@waiting.example", registrations: 1, mailedAt: rows[1]?.createdAt },
    ]);
    expect(rows[0]?.waiting.map(({ name }) => name)).toEqual(["Ada Second", "Ada First"]);
    expect(rows[0]?.waiting[0]).toMatchObject({ id: rows[0]?.id, mailedAt: null });
    expect(rows[0]?.waiting[1]?.mailedAt).toBe(rows[0]?.waiting[1]?.createdAt ?? "");
    expect(rows[1]?.waiting.map(({ id }) => id)).toEqual([rows[1]?.id ?? ""]);
    expect(JSON.stringify(rows)).not.toMatch(/argon2|[0-9a-f]{64}/);
    expect((await waiting("", 1, 1)).users).toEqual(rows.slice(1));
  });

  test("are found by the very text in the newest name or address", async () => {
    await registerAll(newPerson({ name: "100% Real" }), newPerson({ name: "Ada", email: "a_b@w.example" }));
    const names = async (search: string) => (await waiting(search)).users.map(({ name }) => name);
    expect(await names("%")).toEqual(["100% Real"]);
    expect(await names("A_B@")).toEqual(["Ada"]);
    expect(await names("\\")).toEqual([]);
  });

  test("are listed no longer than their links work, and never beside an account", async () => {
    const owner = newPerson();
    await addUser(ctx, owner);
    await registerAll(newPerson(), owner);
    expect((await waiting()).pagination.total).toBe(1);
    ctx.clock.advance(limits.verificationTokenMs);
    expect(await waiting()).toMatchObject({ users: [], pagination: { total: 0 } });
  });
});

describe("a registration that is verified by hand", () => {
  test("becomes a user who signs in with its own password, and the address's others end", async () => {
    const owner = newPerson({ name: "The Owner" });
    const stranger = { ...owner, name: "A Stranger", password: "a stranger's own words" };
    await registerAll(owner);
    const id = await idOf(owner.email);
    await registerAll(stranger);
    const user = await verifyPending(ctx, { user: id });
    expect(user).toMatchObject({ name: "The Owner", email: owner.email, role: "user", emailVerified: true });
    // Neither password was proved: the owner of the address chooses one.
    for (const person of [owner, stranger])
      expect(await failureOf(login(ctx, person))).toMatchObject({ kind: "INVALID_CREDENTIALS" });
    expect(ctx.mails.map(({ to }) => to)).toEqual([owner.email, owner.email]);
    await resetPassword(ctx, { token: tokenIn(ctx.mails[1]), password: owner.password });
    expect((await login(ctx, owner)).user).toEqual(user);
    expect((await waiting()).pagination.total).toBe(0);
  });

  test("is the only one of an address, in any spelling of it; others that have expired do not count", async () => {
    const [older, newer] = [newPerson({ name: "Older" }), newPerson({ name: "Newer" })];
    await registerAll(older);
    ctx.clock.advance(limits.verificationTokenMs);
    await registerAll({ ...newer, email: older.email });
    expect(await verifyPending(ctx, { user: older.email.toUpperCase() })).toMatchObject({ name: "Newer" });
  });

  test("is chosen by its id where several of the address wait: a stranger's may be the newest", async () => {
    const owner = newPerson({ name: "The Owner" });
    await registerAll(owner, { ...owner, name: "A Stranger", password: "a stranger's own words" });
    const before = await contentsOf(database.db);
    expect(await failureOf(verifyPending(ctx, { user: owner.email }))).toMatchObject({
      kind: "CONFLICT",
      message: "This email address has several registrations; choose one by its id",
    });
    expect(await contentsOf(database.db)).toEqual(before);
    const [row] = (await waiting(owner.email)).users;
    const own = row?.waiting.find(({ name }) => name === "The Owner");
    expect(await verifyPending(ctx, { user: own?.id ?? "" })).toMatchObject({ name: "The Owner" });
  });

  test("works once, of twenty calls at the same time", async () => {
    const person = newPerson();
    await registerAll(person);
    const id = await idOf(person.email);
    const calls = Array.from({ length: 20 }, (_, at) =>
      verifyPending(ctx, { user: at % 2 === 0 ? id : person.email }),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ kind: "NOT_FOUND" });
    expect(await database.db.$count(users)).toBe(1);
  });

  test("is refused when the address got an account in the meantime, and is then gone", async () => {
    const person = newPerson();
    await registerAll(person);
    const [pending] = await database.db.select().from(pendingRegistrations);
    await addUser(ctx, person);
    if (pending) await database.db.insert(pendingRegistrations).values(pending);
    expect(await failureOf(verifyPending(ctx, { user: person.email }))).toMatchObject({ kind: "CONFLICT" });
    expect(await database.db.$count(pendingRegistrations)).toBe(0);
  });
});

test("a removed registration takes the others of its address along, and its link ends", async () => {
  const person = newPerson();
  const other = newPerson();
  await registerAll(person, person, other);
  await removePending(ctx, { user: await idOf(person.email) });
  expect((await waiting()).users.map(({ email }) => email)).toEqual([other.email]);
  await removePending(ctx, { user: other.email });
  expect(await database.db.$count(pendingRegistrations)).toBe(0);
});

test("what is unknown, no address, or has expired is not found and changes nothing", async () => {
  const person = newPerson();
  await registerAll(person);
  const id = await idOf(person.email);
  ctx.clock.advance(limits.verificationTokenMs);
  const before = await contentsOf(database.db);
  for (const user of [id, person.email, crypto.randomUUID(), "nobody@x.example", "", "%"]) {
    expect(await failureOf(verifyPending(ctx, { user }))).toMatchObject({ kind: "NOT_FOUND" });
    expect(await failureOf(removePending(ctx, { user }))).toMatchObject({ kind: "NOT_FOUND" });
  }
  expect(await contentsOf(database.db)).toEqual(before);
});
