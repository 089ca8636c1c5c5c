import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { sessions } from "#api/db/schema.ts";
import { beginSession, endSessionsOf } from "#api/modules/sessions/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { completeSignIn } from "./sign-in.ts";
import { admitUser } from "./store.ts";

const database = await databaseForFile();

const signIns = 200;
const rounds = 3;
const newBrowser = { sessionToken: null, deviceToken: null };

/** A user, and the way to sign them in once their password was found right. */
const busyUser = async () => {
  const ctx = { ...testContext(database), hasher: createCheapHasher() };
  const { id, email } = await addUser(ctx, newPerson());
  const user = await findUserByEmailKey(ctx.db, email);
  if (!user?.passwordHash) throw new Error("the user was not stored");
  const { passwordHash } = user;
  const hold = async (tx: Database) => {
    if (!(await admitUser(tx, user, passwordHash))) throw new AppError("INVALID_CREDENTIALS");
    return user;
  };
  return {
    ctx,
    id,
    email,
    hold,
    signIn: () => completeSignIn(ctx, { browser: newBrowser, way: "password" }, hold),
  };
};

/**
 * Begins all sign-ins, half of them before `event` and half while it continues; how many were let in, and the sessions of
 * those that were answered before it was.
 */
const race = async (signIn: () => Promise<{ token: string }>, event: () => Promise<unknown>) => {
  let isOver = false;
  let letIn = 0;
  const before: string[] = [];
  const one = async () => {
    const { token } = await signIn();
    letIn += 1;
    // Of two answers that are there in the same turn, the later one may be read first.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver) before.push(hashToken(token));
  };
  const first = Array.from({ length: signIns / 2 }, one);
  const ended = event().then(() => {
    isOver = true;
  });
  const second: Promise<void>[] = [];
  while (second.length < signIns / 2) {
    second.push(one());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.allSettled([...first, ...second]);
  await ended;
  return { letIn, before };
};

const sessionHashes = async (userId: string): Promise<string[]> => {
  const rows = await database.db.select().from(sessions).where(eq(sessions.userId, userId));
  return rows.map(({ tokenHash }) => tokenHash);
};

describe(`A8: of ${signIns} sign-ins at the same time with`, () => {
  test("the end of all sessions, none survives that was answered before it was", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { ctx, id, signIn } = await busyUser();
      const { letIn, before } = await race(signIn, () => ctx.db.transaction((tx) => endSessionsOf(tx, id)));
      expect(letIn).toBe(signIns);
      const left = await sessionHashes(id);
      expect(left.filter((hash) => before.includes(hash))).toEqual([]);
    }
  });

  test("a reset, none survives at all: the old password opens nothing after it", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { ctx, id, email, signIn } = await busyUser();
      await forgotPassword(ctx, { email });
      const token = tokenIn(ctx.mails[0]);
      const { letIn } = await race(signIn, () =>
        resetPassword(ctx, { token, password: "another-fine-password" }),
      );
      expect(letIn).toBeGreaterThan(0);
      expect(await sessionHashes(id)).toEqual([]);
      expect(await failureOf(signIn())).toBeInstanceOf(Error);
    }
  });
});

test("A8: a sign-in that has stored its session, but is not done, ends with the others", async () => {
  const { ctx, id, hold } = await busyUser();
  const stored = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const signingIn = ctx.db.transaction(async (tx) => {
    await hold(tx);
    await beginSession(ctx, tx, { user: { id, role: "user" } });
    stored.resolve();
    await goOn.promise;
  });
  await stored.promise;
  const ending = ctx.db.transaction((tx) => endSessionsOf(tx, id));
  // Long enough for an end that waits for no one.
  await Promise.race([ending, Bun.sleep(100)]);
  goOn.resolve();
  await signingIn;
  expect(await ending).toBe(1);
  expect(await sessionHashes(id)).toEqual([]);
});
