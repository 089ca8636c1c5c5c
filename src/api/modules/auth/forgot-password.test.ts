import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Context, Mail } from "#api/core/context.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { knownDevices, sessions, tokens, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { timingGapMs } from "#api/testing/timing-gap.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { issueSetupLink, register, resendVerification } from "./registration.ts";
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

const done = { message: "Password reset successful! Redirecting to login..." };
const invalid = { kind: "TOKEN_INVALID", message: "Invalid or expired reset link" };
const wrong = { kind: "INVALID_CREDENTIALS" };

/** Someone who asked for a new password, with the token of their email. */
const forgetful = async () => {
  const ctx = { ...testContext(database), hasher: createCheapHasher() };
  const person = newPerson();
  const user = await addUser(ctx, person);
  await forgotPassword(ctx, person);
  const [mail] = ctx.mails.splice(0);
  return { ctx, person, user, token: tokenIn(mail) };
};

const sessionsOf = (userId: string) => database.db.select().from(sessions).where(eq(sessions.userId, userId));

test("W5: a reset changes the password and signs no one in", async () => {
  const { ctx, person, user, token } = await forgetful();
  expect(await resetPassword(ctx, { token, password })).toMatchObject(done);
  expect(await sessionsOf(user.id)).toEqual([]);
  expect(await failureOf(login(ctx, person))).toMatchObject(wrong);
  expect((await login(ctx, { ...person, password })).user.id).toBe(user.id);
});

test("W2: the browser that chose the new password gets in though its place may guess no more", async () => {
  const { ctx, person, user, token } = await forgetful();
  for (let n = 0; n < limits.signInFailuresByIp; n += 1) {
    await failureOf(login(ctx, { email: `nobody-${n}-${user.id}@example.test`, password }));
  }
  const { deviceToken } = await resetPassword(ctx, { token, password });
  const again = { ...person, password };
  expect(await failureOf(login(ctx, again))).toMatchObject({ kind: "RATE_LIMITED" });
  const signedIn = await login(ctx, { ...again, presentedDevice: deviceToken });
  expect(signedIn).toMatchObject({ user: { id: user.id }, deviceToken: null });
});

test("a sign-in from another browser after a reset is told to the owner", async () => {
  const { ctx, person, token } = await forgetful();
  await resetPassword(ctx, { token, password });
  ctx.mails.length = 0;
  await login({ ...ctx, ip: "203.0.113.99" }, { ...person, password });
  expect(ctx.mails).toMatchObject([{ to: person.email, subject: "New sign-in to your account" }]);
});

test("W5: a notice goes to the stored address, with time, place and device, and with the way back", async () => {
  const { ctx, person, token } = await forgetful();
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  await resetPassword({ ...ctx, ip: "198.51.100.7", userAgent }, { token, password });
  expect(ctx.mails).toMatchObject([{ to: person.email, subject: "Your password was changed" }]);
  const text = ctx.mails[0]?.text ?? "";
  for (const words of [
    "IP address: 198.51.100.7",
    "Device: Firefox on Linux",
    `${ctx.appUrl}/forgot-password`,
  ]) {
    expect(text).toContain(words);
  }
});

test("A2: every session and every other browser's mark of the user ends with it, and no one else's", async () => {
  const { ctx, person, user, token } = await forgetful();
  const other = newPerson();
  const stranger = await addUser(ctx, other);
  await Promise.all([login(ctx, person), login(ctx, person), login(ctx, other)]);
  const { deviceToken } = await resetPassword(ctx, { token, password });
  const devices = await database.db.select().from(knownDevices);
  expect(await sessionsOf(user.id)).toEqual([]);
  const kept = devices.filter(({ userId }) => userId === user.id).map(({ tokenHash }) => tokenHash);
  expect(kept).toEqual([hashToken(deviceToken)]);
  expect(await sessionsOf(stranger.id)).toHaveLength(1);
  expect(devices.filter(({ userId }) => userId === stranger.id)).toHaveLength(1);
  expect(ctx.published).toEqual([{ type: "sessions-ended", userId: user.id }]);
});

describe("T2: a token is refused, without a hash, and changes nothing, that is", () => {
  const tokenCases: Record<string, () => Promise<{ ctx: Context; token: string }>> = {
    unknown: async () => ({ ...(await forgetful()), token: newToken(limits.mailedTokenBytes) }),
    used: async () => {
      const asked = await forgetful();
      await resetPassword(asked.ctx, { ...asked, password: "yet-another-password" });
      return asked;
    },
    expired: async () => {
      const asked = await forgetful();
      asked.ctx.clock.advance(limits.resetTokenMs);
      return asked;
    },
    "cut short": async () => {
      const asked = await forgetful();
      return { ...asked, token: asked.token.slice(0, -1) };
    },
    "in other case": async () => {
      const asked = await forgetful();
      const { token } = asked;
      return { ...asked, token: token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase() };
    },
    "its own hash": async () => {
      const asked = await forgetful();
      return { ...asked, token: hashToken(asked.token) };
    },
    "a registration's": async () => {
      const asked = await forgetful();
      await register(asked.ctx, newPerson());
      return { ...asked, token: tokenIn(asked.ctx.mails[0]) };
    },
    "a setup link's": async () => {
      const empty = await openTestDatabase();
      const link = await issueSetupLink(testContext(empty));
      await empty.close();
      const asked = await forgetful();
      const token = link?.split("token=")[1] ?? "";
      const now = asked.ctx.clock.now();
      const expiresAt = new Date(now.getTime() + limits.setupTokenMs);
      const row = { tokenHash: hashToken(token), userId: asked.user.id, expiresAt, createdAt: now };
      await database.db.insert(tokens).values({ ...row, purpose: "setup" });
      return { ...asked, token };
    },
    "of a disabled user": async () => {
      const asked = await forgetful();
      await database.db
        .update(users)
        .set({ disabledAt: asked.ctx.clock.now() })
        .where(eq(users.id, asked.user.id));
      return asked;
    },
    "of a removed user": async () => {
      const asked = await forgetful();
      await database.db.delete(users).where(eq(users.id, asked.user.id));
      return asked;
    },
    empty: async () => ({ ...(await forgetful()), token: "" }),
  };
  test.each(Object.entries(tokenCases))("%s", async (_title, prepare) => {
    const { ctx, token } = await prepare();
    const before = [await contentsOf(database.db), ctx.hasher.computed];
    expect(await failureOf(resetPassword(ctx, { token, password }))).toMatchObject(invalid);
    expect([await contentsOf(database.db), ctx.hasher.computed]).toEqual(before);
  });
});

test("T2: a link works until its hour is over", async () => {
  const { ctx, token } = await forgetful();
  ctx.clock.advance(limits.resetTokenMs - 1);
  expect(await resetPassword(ctx, { token, password })).toMatchObject(done);
});

test("a user who is disabled while the hash is computed keeps the old password", async () => {
  const { ctx, user, token } = await forgetful();
  const [before] = await database.db.select().from(users).where(eq(users.id, user.id));
  const hash = async (secret: string) => {
    await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, user.id));
    return ctx.hasher.hash(secret);
  };
  const hasher = { ...ctx.hasher, hash };
  expect(await failureOf(resetPassword({ ...ctx, hasher }, { token, password }))).toMatchObject(invalid);
  const [after] = await database.db.select().from(users).where(eq(users.id, user.id));
  expect(after?.passwordHash).toBe(before?.passwordHash ?? "");
});

test("T1: of fifty resets at the same time with one link exactly one counts, and its password alone signs in", async () => {
  for (let round = 0; round < 3; round += 1) {
    const { ctx, person, token } = await forgetful();
    const passwords = Array.from({ length: 50 }, (_, n) => `one-of-fifty-${n}`);
    const outcomes = await Promise.allSettled(
      passwords.map((one) => resetPassword(ctx, { token, password: one })),
    );
    const failures = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failures.map(({ reason }) => reason.message)).toEqual(
      Array.from({ length: 49 }, () => authTexts.resetInvalid),
    );
    const winner = passwords[outcomes.findIndex(({ status }) => status === "fulfilled")] ?? "";
    expect((await login(ctx, { ...person, password: winner })).user.email).toBe(person.email);
    const loser = passwords.find((one) => one !== winner) ?? "";
    expect(await failureOf(login(ctx, { ...person, password: loser }))).toMatchObject(wrong);
    expect(ctx.mails.filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
  }
});

test("a new link that is asked for while one is used leaves no one waiting for the other", async () => {
  const { ctx, person, token } = await forgetful();
  ctx.clock.advance(limits.mailCooldownMs);
  const [reset, asked] = await Promise.allSettled([
    resetPassword(ctx, { token, password }),
    forgotPassword(ctx, person),
  ]);
  expect(asked.status).toBe("fulfilled");
  if (reset.status === "rejected") expect(reset.reason).toMatchObject(invalid);
});

test("T4: neither log nor event of a reset holds the token or the password", async () => {
  const { ctx, token } = await forgetful();
  await resetPassword(ctx, { token, password });
  await resetPassword(ctx, { token, password }).catch(() => {});
  const said = JSON.stringify([ctx.logged, ctx.published, ctx.mails.map((mail: Mail) => mail.text)]);
  expect(said).not.toContain(token);
  expect(said).not.toContain(password);
});
