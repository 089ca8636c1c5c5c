import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { nextTurn } from "#api/core/timing.ts";
import { sessions, users } from "#api/db/schema.ts";
import { findSession, touchSessions } from "#api/modules/sessions/index.ts";
import { addMember } from "#api/testing/add-member.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { createCredentialCheck, createSessionCheck, type Versioned } from "./credentials.ts";

const database = await databaseForFile();
const world = testContext(database);

/** A session as a process remembers it. */
const remembered = async () => {
  const { token, user } = await addMember(world);
  const session = await findSession(database.db, hashToken(token));
  if (session === null) throw new Error("the session was not found");
  return { session, user };
};

type Remembered = Awaited<ReturnType<typeof remembered>>;
const changes: [string, (one: Remembered) => unknown][] = [
  ["ended", ({ session }) => database.db.delete(sessions).where(eq(sessions.tokenHash, session.tokenHash))],
  ["used elsewhere", ({ session }) => touch(session.tokenHash)],
  ["of a user with another role", ({ user }) => change(user.id, { role: "admin" })],
  ["of a disabled user", ({ user }) => change(user.id, { disabledAt: new Date() })],
  ["of a deleted user", ({ user }) => database.db.delete(users).where(eq(users.id, user.id))],
];
const change = (id: string, values: Partial<typeof users.$inferInsert>) =>
  database.db.update(users).set(values).where(eq(users.id, id));
const touch = (tokenHash: string) =>
  touchSessions(database.db, [{ tokenHash, lastUsedAt: new Date(), expiresAt: new Date() }]);

describe("A2: a cached session is no longer used once it is", () => {
  for (const [name, act] of changes)
    test(name, async () => {
      const [one, other] = [await remembered(), await remembered()];
      const check = createSessionCheck(database.db);
      expect(await Promise.all([check(one.session), check(other.session)])).toEqual([true, true]);
      await act(one);
      expect(await Promise.all([check(one.session), check(other.session)])).toEqual([false, true]);
    });
});

test("of two cached versions of a session the older is read again", async () => {
  const { session, user } = await remembered();
  await change(user.id, { name: "Grace" });
  const newer = await findSession(database.db, session.tokenHash);
  if (newer === null) throw new Error("the session was not found");
  const check = createSessionCheck(database.db);
  expect(await Promise.all([check(newer), check(session), check(newer)])).toEqual([true, false, true]);
});

/** A database that counts what it is asked, and holds the answers back until it is told to give them. */
const countingDatabase = (db: Database) => {
  let [asked, gate] = [0, Promise.resolve()];
  const counting = new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== "select" || typeof value !== "function") return value;
      return (fields: object) => {
        const built: unknown = value.call(target, fields);
        return watchExecution(built, async (execute) => {
          asked += 1;
          const answer = await execute();
          await gate;
          return answer;
        });
      };
    },
  });
  return {
    counting,
    asked: () => asked,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
};

/** Follows the building of a query to its execution. */
const watchExecution = (built: unknown, around: (execute: () => Promise<unknown>) => unknown): unknown =>
  new Proxy(Object(built), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...words: unknown[]) =>
        name === "execute"
          ? around(() => value.apply(target, words))
          : watchExecution(value.apply(target, words), around);
    },
  });

test("A2: simultaneous requests share a query, and none joins one that is under way", async () => {
  const { counting, asked, hold } = countingDatabase(database.db);
  const check = createSessionCheck(counting);
  const all = await Promise.all(Array.from({ length: 20 }, remembered));
  expect(new Set(await Promise.all(all.map(({ session }) => check(session))))).toEqual(new Set([true]));
  expect(asked()).toBe(1);
  const [one] = all;
  if (one === undefined) throw new Error("there is no session");
  const letGo = hold();
  const early = check(one.session);
  while (asked() < 2) await Bun.sleep(1);
  await touch(one.session.tokenHash);
  const late = check(one.session);
  letGo();
  expect(await Promise.all([early, late])).toEqual([true, false]);
  expect(asked()).toBe(3);
});

test("while the database is away no session is accepted, and the next check asks again", async () => {
  const { session } = await remembered();
  const { counting } = countingDatabase(database.db);
  let isAway = true;
  const shaky = new Proxy(counting, {
    get: (target, name) => {
      if (isAway && name === "select") throw new Error("away");
      return Reflect.get(target, name);
    },
  });
  const check = createSessionCheck(shaky);
  await expect(check(session)).rejects.toThrow("away");
  isAway = false;
  expect(await check(session)).toBe(true);
});

const session: Versioned = { tokenHash: "hash", version: "1" };

/** A check whose questions are answered immediately, and when each of them left. */
const followed = () => {
  const leftAtMs: number[] = [];
  const check = createCredentialCheck(async () => {
    leftAtMs.push(performance.now());
    return new Set();
  });
  return {
    leftAtMs,
    ask: (callers: number) => Promise.all(Array.from({ length: callers }, () => check(session))),
  };
};

describe("the query about sessions", () => {
  for (const callers of [1, 4, 16])
    test(`is sent without a pause after one that ${callers} shared`, async () => {
      const { leftAtMs, ask } = followed();
      await ask(callers);
      const answered = ask(callers);
      // Whatever waits for a timer is not there yet.
      expect(await Promise.race([answered, nextTurn()])).toBeArrayOfSize(callers);
      expect(leftAtMs).toBeArrayOfSize(2);
    });

  test("waits a millisecond after one that 17 shared, so that more can share it", async () => {
    const { leftAtMs, ask } = followed();
    await ask(17);
    await ask(1);
    const [first = 0, second = 0] = leftAtMs;
    expect(second - first).toBeGreaterThanOrEqual(0.9);
  });
});
