import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Context, Mail } from "#api/core/context.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { knownDevices, sessions, tokens, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { issueSetupLink, register } from "./registration.ts";
import { login } from "./sign-in.ts";

setDefaultTimeout(60_000);

const database = await databaseForFile();

const done = { message: "Password reset successful! Redirecting to login..." };
const invalid = { kind: "TOKEN_INVALID", message: "Invalid or expired reset link" };
const wrong = { kind: "INVALID_CREDENTIALS" };
const password = "another-fine-password";

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
