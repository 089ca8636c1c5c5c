import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import type { PasswordHasher } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import { sessions, users } from "#api/db/schema.ts";
import { findSession } from "#api/modules/sessions/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, type Person } from "#api/testing/people.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import { until } from "#api/testing/until.ts";
import { limits } from "#contract/limits.ts";
import { sweepExpired } from "./password-reset.ts";
import { register, resendVerification } from "./registration.ts";
import { currentUser, login, logout } from "./sign-in.ts";

const database = await databaseForFile();

const wrong = { kind: "INVALID_CREDENTIALS", message: "Invalid email or password" };
const sessionsOf = (userId: string) => database.db.select().from(sessions).where(eq(sessions.userId, userId));

test("the right password begins a session of thirty days that knows its browser", async () => {
  const ctx = { ...testContext(database), ip: "192.0.2.7", userAgent: "Browser ".repeat(200) };
  const person = newPerson();
  const added = await addUser(ctx, person);
  const { user, token } = await login(ctx, { ...person, email: ` ${person.email.toUpperCase()} ` });
  expect(user).toEqual(added);
  expect(token).toMatch(/^[\w-]{43}$/);
  const [session] = await sessionsOf(user.id);
  expect(session).toMatchObject({
    tokenHash: hashToken(token),
    ip: "192.0.2.7",
    userAgent: "Browser ".repeat(200).slice(0, 500),
    lastUsedAt: ctx.clock.now(),
    expiresAt: new Date(ctx.clock.now().getTime() + limits.sessionMs),
  });
});

test("an administrator whose password has appeared in a breach is let in, and emailed once a day; members are not asked", async () => {
  const ctx = testContext(database);
  const [admin, member] = [newPerson(), newPerson({ password: "another fine password" })];
  await addUser(ctx, admin, "admin");
  await addUser(ctx, member);
  const asked: string[] = [];
  const breachCheck = async (password: string) => {
    asked.push(password);
    return "breached" as const;
  };
  const signIn = async (person: Person, after: number) => {
    await login({ ...ctx, breachCheck }, person);
    await until(() => ctx.mails.filter(({ subject }) => subject.includes("data breach")).length === after);
  };
  const enqueue: TestContext["mail"]["enqueue"] = async (tx, mail) => {
    if (mail.subject.includes("data breach")) throw new Error("the disk is full");
    return ctx.mail.enqueue(tx, mail);
  };
  await login({ ...ctx, breachCheck, mail: { ...ctx.mail, enqueue } }, admin);
  await until(() => ctx.logged.some(({ message }) => message.includes("password was breached")));
  asked.pop();
  await signIn(admin, 1);
  await signIn(member, 1);
  await signIn(admin, 1);
  ctx.clock.advance(24 * 60 * 60 * 1000);
  await signIn(admin, 2);
  expect(asked).toEqual(Array(3).fill(admin.password));
});

/** Everything but the counts of wrong passwords, and those. */
const contentsAndCounts = async () => {
  const rows = await contentsOf(database.db);
  const isCount = (row: string) => row.startsWith("signInFailures ");
  return { contents: rows.filter((row) => !isCount(row)), counts: rows.filter(isCount) };
};

describe("E1: the answer is the same, after two hashes, and nothing but one count changes, for", () => {
  const attempts: Record<string, (ctx: TestContext, person: Person) => Promise<unknown>> = {
    "an unknown address": async () => {},
    "a wrong password": (ctx, person) => addUser(ctx, { ...person, password: "another-password" }),
    "a registration with another password": (ctx, person) =>
      register(ctx, { ...person, password: "another-password" }),
    "a registration that is over": async (ctx, person) => {
      await register(ctx, person);
      ctx.clock.advance(limits.verificationTokenMs);
    },
    "a registration after which came a newer one": async (ctx, person) => {
      await register(ctx, person);
      ctx.clock.advance(1);
      await register(ctx, { ...person, password: "another-password" });
    },
    "an account without a password": async (ctx, person) => {
      const { id } = await addUser(ctx, person);
      await database.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
    },
    "a disabled account, even with the right password": async (ctx, person) => {
      const { id } = await addUser(ctx, person);
      await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, id));
    },
  };

  test.each(Object.entries(attempts))("%s", async (_title, prepare) => {
    const ctx = testContext(database);
    const person = newPerson();
    await prepare(ctx, person);
    const before = await contentsAndCounts();
    const computed = ctx.hasher.computed;
    expect(await failureOf(login(ctx, person))).toMatchObject(wrong);
    expect(ctx.hasher.computed).toBe(computed + 2);
    const after = await contentsAndCounts();
    expect(after.contents).toEqual(before.contents);
    expect(after.counts).toHaveLength(before.counts.length + 1);
  });
});

test("a registration waiting for its link is told so, only after its right password", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await register(ctx, person);
  expect(await failureOf(login(ctx, { ...person, password: "not-the-password" }))).toMatchObject(wrong);
  const before = await contentsOf(database.db);
  expect(await failureOf(login(ctx, person))).toMatchObject({
    kind: "EMAIL_NOT_VERIFIED",
    message: "Please verify your email before logging in",
  });
  expect(await contentsOf(database.db)).toEqual(before);
});

test("E1: registering an address and signing in with that password does not reveal whether it has an account", async () => {
  const ctx = testContext(database);
  const owner = newPerson();
  await addUser(ctx, owner);
  for (const email of [owner.email, newPerson().email]) {
    const stranger = newPerson({ email, password: "the-strangers-own-words" });
    const outcomes = async (passed: number) => {
      ctx.clock.advance(passed);
      await sweepExpired(ctx);
      const computed = ctx.hasher.computed;
      const { kind } = Object(await failureOf(login(ctx, stranger)));
      return [kind, ctx.hasher.computed - computed];
    };
    await register(ctx, stranger);
    expect(await outcomes(0)).toEqual(["EMAIL_NOT_VERIFIED", 2]);
    expect(await outcomes(limits.mailCooldownMs)).toEqual(["EMAIL_NOT_VERIFIED", 2]);
    await resendVerification(ctx, { email });
    const rest = limits.verificationTokenMs - limits.mailCooldownMs;
    expect(await outcomes(rest - 1)).toEqual(["EMAIL_NOT_VERIFIED", 2]);
    expect(await outcomes(1)).toEqual(["INVALID_CREDENTIALS", 2]);
  }
  expect((await login(ctx, owner)).user.email).toBe(owner.email);
});

describe("A1: signing in again", () => {
  test("gives a new token, and the browser's older session ends", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    const first = await login(ctx, person);
    const second = await login(ctx, { ...person, presentedToken: first.token });
    expect(second.token).not.toBe(first.token);
    expect(await findSession(database.db, hashToken(first.token))).toBeNull();
    expect(ctx.published).toEqual([{ type: "sessions-ended", userId: first.user.id }]);
  });

  test("as someone else ends the first person's session too", async () => {
    const ctx = testContext(database);
    const [one, other] = [newPerson(), newPerson()];
    await Promise.all([addUser(ctx, one), addUser(ctx, other)]);
    const first = await login(ctx, one);
    const second = await login(ctx, { ...other, presentedToken: first.token });
    expect(await sessionsOf(first.user.id)).toEqual([]);
    expect((await findSession(database.db, hashToken(second.token)))?.user.email).toBe(other.email);
    expect(ctx.published).toEqual([{ type: "sessions-ended", userId: first.user.id }]);
  });

  test("in another browser leaves the first one signed in", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    const first = await login(ctx, person);
    await login(ctx, person);
    expect(await findSession(database.db, hashToken(first.token))).not.toBeNull();
    expect(ctx.published).toEqual([]);
  });

  test("with a token that was planted never adopts it", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    const planted = "A".repeat(43);
    const { token } = await login(ctx, { ...person, presentedToken: planted });
    expect(token).not.toBe(planted);
    expect(await findSession(database.db, hashToken(planted))).toBeNull();
  });
});

test("A4: the session's token is not in the database, and what is there signs no one in", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await addUser(ctx, person);
  const { user, token } = await login(ctx, person);
  expect((await contentsOf(database.db)).join("\n")).not.toContain(token);
  const [stored] = await sessionsOf(user.id);
  expect(await findSession(database.db, hashToken(stored?.tokenHash ?? ""))).toBeNull();
});

describe("W1: a hash made with older parameters", () => {
  const weakHash = (password: string) =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 64, timeCost: 1 });

  test("is replaced at the next sign-in, by one of the same password", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    const { id } = await addUser(ctx, person);
    const passwordHash = await weakHash(person.password);
    await database.db.update(users).set({ passwordHash }).where(eq(users.id, id));
    await login(ctx, person);
    const [row] = await database.db.select().from(users).where(eq(users.id, id));
    expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect((await login(ctx, person)).user.id).toBe(id);
  });

  test("does not come back over a password that was changed meanwhile", async () => {
    const person = newPerson();
    const outer = testContext(database);
    const { id } = await addUser(outer, person);
    const passwordHash = await weakHash(person.password);
    await database.db.update(users).set({ passwordHash }).where(eq(users.id, id));
    const ctx = {
      ...outer,
      hasher: hasherThatWaitsFor(async () => {
        await database.db.update(users).set({ passwordHash: "changed" }).where(eq(users.id, id));
      }),
    };
    expect(await failureOf(login(ctx, person))).toMatchObject(wrong);
    const [row] = await database.db.select().from(users).where(eq(users.id, id));
    expect(row?.passwordHash).toBe("changed");
    expect(await sessionsOf(id)).toEqual([]);
  });
});

test("an account that is disabled while its password is checked gets no session", async () => {
  const person = newPerson();
  const outer = testContext(database);
  const { id } = await addUser(outer, person);
  const ctx = {
    ...outer,
    hasher: hasherThatWaitsFor(async () => {
      await database.db.update(users).set({ disabledAt: outer.clock.now() }).where(eq(users.id, id));
    }),
  };
  expect(await failureOf(login(ctx, person))).toMatchObject(wrong);
  expect(await sessionsOf(id)).toEqual([]);
});

test("W4: with the hashing queue full a sign-in is refused and changes nothing", async () => {
  const outer = testContext(database);
  const person = newPerson();
  await addUser(outer, person);
  const before = await contentsOf(database.db);
  const real = createPasswordHasher({ concurrency: 1, maxWaiting: 1 });
  const queue: Promise<unknown>[] = [];
  const hasher: PasswordHasher = {
    ...real,
    verify: (password, hash) => {
      queue.push(real.verify("an earlier one", null), real.verify("another one", null));
      return real.verify(password, hash);
    },
  };
  expect(await failureOf(login({ ...outer, hasher }, person))).toMatchObject({
    kind: "BUSY",
    retryAfterS: 1,
  });
  expect(await contentsOf(database.db)).toEqual(before);
  await Promise.all(queue);
});

/** A real hasher that lets something happen between the check of the password and what follows. */
const hasherThatWaitsFor = (event: () => Promise<void>): PasswordHasher => {
  const hasher = createPasswordHasher();
  return {
    ...hasher,
    verify: async (password, hash) => {
      const isRight = await hasher.verify(password, hash);
      await event();
      return isRight;
    },
  };
};

const signedOut = { message: "Signed out" };

test("signing out ends this session, tells everyone, and leaves the other browser signed in", async () => {
  const ctx = testContext(database);
  const person = newPerson();
  await addUser(ctx, person);
  const here = await login(ctx, person);
  const there = await login(ctx, person);
  const sessionHash = hashToken(here.token);
  const answer = await logout(ctx.as(sessionActor(here.user, { sessionHash, at: ctx.clock.now() })));
  expect(answer).toEqual(signedOut);
  expect(await findSession(database.db, sessionHash)).toBeNull();
  expect(await findSession(database.db, hashToken(there.token))).not.toBeNull();
  expect(ctx.published).toEqual([{ type: "sessions-ended", userId: here.user.id }]);
});

test("signing out without a session, or twice, succeeds and changes nothing", async () => {
  const ctx = testContext(database);
  const user = await addUser(ctx, newPerson());
  const before = await contentsOf(database.db);
  for (const actor of [
    { kind: "visitor" as const },
    { kind: "operator" as const },
    sessionActor(user, { sessionHash: hashToken("ended") }),
  ]) {
    expect(await logout(ctx.as(actor))).toEqual(signedOut);
  }
  expect(await contentsOf(database.db)).toEqual(before);
  expect(ctx.published).toEqual([]);
});

test("the current user is the one behind the session, and no one for visitors and the operator", async () => {
  const ctx = testContext(database);
  const user = await addUser(ctx, newPerson());
  expect(currentUser(ctx.as(sessionActor(user)))).toEqual(user);
  expect(() => currentUser(ctx)).toThrow("Please sign in");
  expect(() => currentUser(ctx.as({ kind: "operator" }))).toThrow("Please sign in");
});
