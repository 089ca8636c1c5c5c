import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { countUsers } from "#api/modules/users/index.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { timingGapMs } from "#api/testing/timing-gap.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { sweepExpired } from "./password-reset.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const pendingOf = (email: string) =>
  database.db
    .select()
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.emailKey, emailKey(email)));
const usersOf = (email: string) =>
  database.db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)));

test("a registration is recorded and its link emailed; no one is a user yet", async () => {
  const ctx = testContext(database);
  const person = newPerson({ name: "  Ada Example " });
  const { message, browserToken } = await register(ctx, person);
  expect(message).toBe(authTexts.registered);
  expect(browserToken).toMatch(/^[\w-]{43}$/);
  expect(ctx.mails).toHaveLength(1);
  expect(ctx.mails[0]).toMatchObject({ to: person.email });
  expect(ctx.mails[0]?.link).toMatch(/^http:\/\/localhost:3000\/verify-email\?token=[\w-]{43}$/);
  expect(ctx.mails[0]?.text).toContain(ctx.mails[0]?.link ?? "no link");
  expect(await pendingOf(person.email)).toMatchObject([{ name: "Ada Example", email: person.email }]);
  expect(await usersOf(person.email)).toEqual([]);
});

test("A4: neither the token nor the password is in the database", async () => {
  const ctx = testContext(database);
  const person = newPerson({ password: "never-to-be-found-again" });
  const { browserToken } = await register(ctx, person);
  const stored = (await contentsOf(database.db)).join("\n");
  expect(stored).not.toContain(browserToken);
  expect(stored).not.toContain(tokenIn(ctx.mails[0]));
  expect(stored).not.toContain(person.password);
});

describe("W1: the password", () => {
  test("is stored as argon2id with 19 MiB, two passes and one lane", async () => {
    const person = newPerson();
    await register(testContext(database), person);
    const [row] = await pendingOf(person.email);
    expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("counts byte by byte: no space, case or accent is changed", async () => {
    const person = newPerson({ password: "  Zwölf große Bäume " });
    await register(testContext(database), person);
    const [row] = await pendingOf(person.email);
    const isRight = (typed: string) => Bun.password.verify(typed, row?.passwordHash ?? "");
    expect(await isRight(person.password)).toBe(true);
    expect(await isRight(person.password.trim())).toBe(false);
    expect(await isRight(person.password.normalize("NFD"))).toBe(false);
    expect(await isRight(person.password.toLowerCase())).toBe(false);
  });
});

test("W3: a common or personal password is refused before any hash, and changes nothing", async () => {
  const ctx = testContext(database);
  const before = await contentsOf(database.db);
  for (const password of ["password", "atrium2026", "Ada Example"]) {
    expect(await failureOf(register(ctx, newPerson({ password })))).toMatchObject({
      kind: "VALIDATION_FAILED",
      errors: [{ path: "password" }],
    });
  }
  expect(ctx.hasher.computed).toBe(0);
  expect(ctx.mails).toEqual([]);
  expect(await contentsOf(database.db)).toEqual(before);
});

describe("E1: an address that has an account", () => {
  test("gets the same answer after the same hash, and an email to its stored form that says so", async () => {
    const ctx = testContext(database);
    const owner = newPerson();
    await addUser(ctx, owner);
    const computed = ctx.hasher.computed;
    const { message } = await register(ctx, newPerson({ email: owner.email.toUpperCase() }));
    expect(message).toBe(authTexts.registered);
    expect(ctx.hasher.computed).toBe(computed + 1);
    expect(ctx.mails.map((mail) => mail.to)).toEqual([owner.email]);
    expect(ctx.mails[0]?.text).toContain("http://localhost:3000/login");
    expect(ctx.mails[0]?.text).not.toContain("token=");
    expect(await usersOf(owner.email)).toHaveLength(1);
  });

  test("is recorded only as a registration that has ended: no resend and no count sees it, and no sign-in once the account is gone", async () => {
    const ctx = testContext(database);
    const owner = newPerson();
    const operator = ctx.as({ kind: "operator" });
    const { id } = await addUser(ctx, owner);
    const before = await countUsers(operator);
    const stranger = newPerson({ email: owner.email, password: "the-strangers-own-words" });
    await register(ctx, stranger);
    expect(await countUsers(operator)).toEqual(before);
    await database.db.delete(users).where(eq(users.id, id));
    expect(await failureOf(login(ctx, stranger))).toMatchObject({ kind: "INVALID_CREDENTIALS" });
    ctx.clock.advance(limits.mailCooldownMs);
    await resendVerification(ctx, owner);
    expect(ctx.mails).toHaveLength(1);
    ctx.clock.advance(limits.verificationTokenMs);
    await sweepExpired(ctx);
    expect(await pendingOf(owner.email)).toEqual([]);
  });

  test("is answered as slowly as a new one", async () => {
    const ctx = testContext(database);
    const owner = newPerson();
    await addUser(ctx, owner);
    const answer = async (email: string) => {
      ctx.clock.advance(limits.mailCooldownMs);
      await register(ctx, newPerson({ email }));
    };
    const gapMs = await timingGapMs(
      () => answer(owner.email),
      () => answer(newPerson().email),
      10,
    );
    expect(gapMs).toBeLessThan(10);
  });
});

test("E2: of fifty registrations at the same time, in all spellings, come fifty equal answers, one email and one user", async () => {
  const ctx = testContext(database);
  const { email } = newPerson();
  const spellings = [email, email.toUpperCase(), ` ${email}`, `${email} `, email.replace("ada", "Ada")];
  const calls = Array.from({ length: 50 }, (_, index) =>
    register(ctx, newPerson({ email: spellings[index % spellings.length] ?? email })),
  );
  const answers = new Set((await Promise.all(calls)).map(({ message }) => message));
  expect(answers.size).toBe(1);
  expect(ctx.mails).toHaveLength(1);
  await verifyEmail(ctx, { token: tokenIn(ctx.mails[0]), ...newPerson() });
  expect(await usersOf(email)).toHaveLength(1);
  expect(await pendingOf(email)).toEqual([]);
});

describe("E3: addresses that look alike", () => {
  test.each([
    ["mike@alike.example", "mıke@alike.example"],
    ["kim@alike.example", "kım@alike.example"],
    ["paul@bücher.example", "paul@bucher.example"],
    ["anna@alike.example", "аnna@alike.example"],
  ])("%s and %s are two accounts, each emailed at its own", async (one, other) => {
    const ctx = testContext(database);
    await addUser(ctx, newPerson({ email: one }));
    const { browserToken } = await register(ctx, newPerson({ email: other }));
    expect(ctx.mails.map((mail) => mail.to)).toEqual([other]);
    await verifyEmail(ctx, { token: tokenIn(ctx.mails[0]), browserToken });
    expect(await usersOf(one)).toHaveLength(1);
    expect(await usersOf(other)).toHaveLength(1);
  });

  test.each([
    ["karl@fold.example", "\u212aarl@fold.example"],
    ["wide@fold.example", "ｗｉｄｅ@fold.example"],
    ["case@fold.example", "CASE@FOLD.example"],
  ])("%s and %s are one account, emailed as it is stored", async (stored, typed) => {
    const ctx = testContext(database);
    await addUser(ctx, newPerson({ email: stored }));
    await register(ctx, newPerson({ email: typed }));
    expect(ctx.mails.map((mail) => mail.to)).toEqual([stored]);
    expect(await usersOf(typed)).toHaveLength(1);
  });
});

describe("registrations of one address", () => {
  test("keep their own name and password: that of the browser which follows a link counts, whichever registration was emailed", async () => {
    const ctx = testContext(database);
    const owner = newPerson({ name: "Owner", password: "the-owners-own-words" });
    const { browserToken } = await register(ctx, owner);
    ctx.clock.advance(limits.mailCooldownMs);
    await register(ctx, { name: "Stranger", email: owner.email, password: "the-strangers-own-words" });
    await verifyEmail(ctx, { token: tokenIn(ctx.mails[1]), browserToken });
    const [user] = await usersOf(owner.email);
    expect(user?.name).toBe("Owner");
    expect(await Bun.password.verify(owner.password, user?.passwordHash ?? "")).toBe(true);
    expect(await failureOf(verifyEmail(ctx, { token: tokenIn(ctx.mails[0]), browserToken }))).toMatchObject({
      kind: "TOKEN_INVALID",
    });
  });

  test("are emailed about without anything that was typed", async () => {
    const ctx = {
      ...testContext(database),
      ip: "203.0.113.77",
      userAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0",
    };
    const person = newPerson({ name: "Win a prize" });
    await register(ctx, person);
    const { subject, text, html } = ctx.mails[0] ?? { subject: "", text: "", html: "" };
    expect(subject).toBe("Confirm your email address");
    expect(text).toContain("from Firefox on Linux, network 203.0.x.x.");
    for (const part of [subject, text, html]) expect(part).not.toContain(person.name);
  });

  test("that were emailed no link are kept up to twenty, the newest", async () => {
    const ctx = testContext(database);
    const { email } = newPerson();
    for (let index = 0; index < 25; index++) {
      ctx.clock.advance(1);
      await register(ctx, newPerson({ email, name: `Number ${index}` }));
    }
    const names = (await pendingOf(email)).map((row) => row.name).sort();
    const newest = Array.from({ length: 20 }, (_, index) => `Number ${index + 5}`);
    expect(names).toEqual(["Number 0", ...newest].sort());
  });
});

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
