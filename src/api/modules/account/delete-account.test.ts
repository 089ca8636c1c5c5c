import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import {
  activities,
  contactMessages,
  mails,
  sessions,
  signInFailures,
  tokens,
  users,
} from "#api/db/schema.ts";
import { forgotPassword } from "#api/modules/auth/password-reset.ts";
import { findSession, insertDevice } from "#api/modules/sessions/index.ts";
import { addMember, beginAgain, type Member } from "#api/testing/add-member.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutTries } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { limits } from "#contract/limits.ts";
import { deleteAccount } from "./delete-account.ts";
import { readAccount } from "./operations.ts";

const database = await databaseForFile();

const isThere = async (id: string): Promise<boolean> => {
  const rows = await database.db.select({ id: users.id }).from(users).where(eq(users.id, id));
  return rows.length > 0;
};
/** Hashes take turns and would keep apart what is to happen at once. */
const quickContext = (): TestContext => ({ ...testContext(database), hasher: createCheapHasher() });
const withoutPassword = ({ user }: Member) =>
  database.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));

/** Leaves something of the member in every table that can hold it. */
const leaveTraces = async ({ ctx, user }: Member): Promise<void> => {
  const now = ctx.clock.now();
  const { db } = database;
  await beginAgain(ctx, user);
  await insertDevice(db, { tokenHash: hashToken(newToken(32)), userId: user.id, now });
  await db.insert(tokens).values({
    tokenHash: hashToken(newToken(32)),
    purpose: "reset",
    userId: user.id,
    expiresAt: new Date(now.getTime() + 1),
  });
  await db.insert(signInFailures).values({ emailKey: user.email, failures: 3, lastFailedAt: now });
  await db.insert(contactMessages).values({
    id: newId(),
    name: user.name,
    email: user.email,
    subject: "Support",
    message: "Please help",
    userId: user.id,
    ip: "192.0.2.7",
    idempotencyKey: newToken(32),
    contentHash: newToken(32),
  });
  await db.insert(mails).values({ id: newId(), recipient: user.email, subject: "Your password was changed" });
};

test("the account goes with its sessions, devices, links and counts; contact messages, waiting emails and the log stay", async () => {
  const world = testContext(database);
  const [member, neighbour] = [await addMember(world), await addMember(world)];
  const before = await contentsOf(database.db);
  await leaveTraces(member);
  await deleteAccount(member.ctx, { password: member.person.password });
  const left = (await contentsOf(database.db)).filter(
    (row) => !before.includes(row) && !row.startsWith("listTallies "),
  );
  expect(left.map((row) => row.split(" ")[0])).toEqual(["activityInbox", "contactMessages", "mails"]);
  await member.ctx.activity.settle();
  const logged = await database.db.select({ action: activities.action }).from(activities);
  expect(logged).toContainEqual({ action: "Deleted their own account" });
  expect(left[1]).toContain('"message":"Please help"');
  expect(left[1]).toContain('"userId":null');
  expect(left[2]).toContain('"status":"waiting"');
  expect(await isThere(member.user.id)).toBe(false);
  expect(await findSession(database.db, hashToken(member.token))).toBeNull();
  expect(await findSession(database.db, hashToken(neighbour.token))).not.toBeNull();
  await database.db.delete(mails);
  await database.db.delete(contactMessages);
});

test("everyone is told: the person by email, the rest of the installation by events", async () => {
  const { ctx, user, person } = await addMember(testContext(database));
  await deleteAccount({ ...ctx, ip: "192.0.2.7" }, { password: person.password });
  expect(ctx.mails).toMatchObject([{ to: person.email, subject: "Your account was deleted" }]);
  expect(ctx.mails[0]?.text).toContain("192.0.2.7");
  expect(ctx.published).toEqual([
    { type: "sessions-ended", userId: user.id },
    { type: "user-changed", userId: user.id },
  ]);
});

test("an account without a password is deleted from a fresh session though a hundred others came after", async () => {
  const world = testContext(database);
  const member = await addMember(world);
  await withoutPassword(member);
  world.clock.advance(1);
  for (let n = 0; n < limits.sessionsByUser; n += 1) await beginAgain(world, member.user);
  await deleteAccount(member.ctx, {});
  expect(await isThere(member.user.id)).toBe(false);
});

test("an account without a password is deleted from a session of the last ten minutes", async () => {
  const member = await addMember(testContext(database));
  await withoutPassword(member);
  member.ctx.clock.advance(limits.freshSessionMs - 1);
  await deleteAccount(member.ctx, {});
  expect(await isThere(member.user.id)).toBe(false);
});

describe("a deletion is refused and changes nothing", () => {
  const refused = async ({ ctx }: Pick<Member, "ctx">, password?: string) => {
    const before = withoutTries(await contentsOf(database.db));
    const failure = await failureOf(deleteAccount(ctx, password === undefined ? {} : { password }));
    expect(withoutTries(await contentsOf(database.db))).toEqual(before);
    expect([ctx.mails, ctx.published]).toEqual([[], []]);
    return failure;
  };
  const onPassword = { kind: "VALIDATION_FAILED", errors: [{ path: "password" }] };

  test("with a wrong password", async () => {
    expect(await refused(await addMember(testContext(database)), "not-the-password")).toMatchObject(
      onPassword,
    );
  });

  test("without the password of an account that has one, however young the session", async () => {
    expect(await refused(await addMember(testContext(database)))).toMatchObject(onPassword);
  });

  test("W2: after ten wrong passwords, even with the right one", async () => {
    const member = await addMember(testContext(database));
    for (let guess = 0; guess < limits.passwordChecksByUser; guess += 1)
      await failureOf(deleteAccount(member.ctx, { password: "not-the-password" }));
    // The email about failures in a row.
    member.ctx.mails.length = 0;
    expect(await refused(member, member.person.password)).toMatchObject({ kind: "RATE_LIMITED" });
  });

  test("from an old session of an account without a password, whatever password is sent", async () => {
    const member = await addMember(testContext(database));
    await withoutPassword(member);
    member.ctx.clock.advance(limits.freshSessionMs);
    const failure = { kind: "REAUTHENTICATION_REQUIRED" };
    expect(await refused(member)).toMatchObject(failure);
    expect(await refused(member, member.person.password)).toMatchObject(failure);
  });

  const meanwhile: [string, (userId: string) => PromiseLike<unknown>, string][] = [
    [
      "when the session ends while the hash is computed",
      (userId) => database.db.delete(sessions).where(eq(sessions.userId, userId)),
      "NOT_SIGNED_IN",
    ],
    [
      "when the password is changed while the hash is computed",
      (userId) => database.db.update(users).set({ passwordHash: "changed" }).where(eq(users.id, userId)),
      "CONFLICT",
    ],
  ];
  test.each(meanwhile)("%s", async (_title, event, kind) => {
    const { ctx, user, person } = await addMember(testContext(database));
    const real = createPasswordHasher();
    let before: string[] = [];
    const verify: typeof real.verify = async (password, hash) => {
      const isRight = await real.verify(password, hash);
      await event(user.id);
      before = withoutTries(await contentsOf(database.db));
      return isRight;
    };
    const failure = await failureOf(
      deleteAccount({ ...ctx, hasher: { ...real, verify } }, { password: person.password }),
    );
    expect(failure).toMatchObject({ kind });
    expect(withoutTries(await contentsOf(database.db))).toEqual(before);
    expect(ctx.mails).toEqual([]);
  });
});

describe("the last administrator", () => {
  /** Leaves no admins but those who are added next. */
  const demoteAll = () => database.db.update(users).set({ role: "user" });

  test("is told so, cannot leave, and nothing changes", async () => {
    await demoteAll();
    const world = testContext(database);
    const [admin, disabled] = [await addMember(world, "admin"), await addMember(world, "admin")];
    await database.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, disabled.user.id));
    expect(await readAccount(admin.ctx)).toMatchObject({ isLastAdmin: true });
    const before = await contentsOf(database.db);
    const failure = await failureOf(deleteAccount(admin.ctx, { password: admin.person.password }));
    expect(failure).toMatchObject({ kind: "LAST_ADMIN" });
    expect(await contentsOf(database.db)).toEqual(before);
    expect(admin.ctx.mails).toEqual([]);
  });

  test("may leave once there is another", async () => {
    await demoteAll();
    const world = testContext(database);
    const [admin, other] = [await addMember(world, "admin"), await addMember(world, "admin")];
    expect(await readAccount(admin.ctx)).toMatchObject({ isLastAdmin: false });
    await deleteAccount(admin.ctx, { password: admin.person.password });
    expect(await readAccount(other.ctx)).toMatchObject({ isLastAdmin: true });
  });

  test("of two who leave at the same time, ten times, one stays", async () => {
    for (let round = 0; round < 10; round += 1) {
      await demoteAll();
      const world = quickContext();
      const admins = [await addMember(world, "admin"), await addMember(world, "admin")];
      const outcomes = await Promise.allSettled(
        admins.map(({ ctx, person }) => deleteAccount(ctx, { password: person.password })),
      );
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      expect(failures).toMatchObject([{ kind: "LAST_ADMIN" }]);
      const left = await Promise.all(admins.map(({ user }) => isThere(user.id)));
      expect(left.filter(Boolean)).toHaveLength(1);
    }
  });
});

test("of five deletions of one account at the same time one deletes it, and one email tells", async () => {
  const { ctx, person } = await addMember(quickContext());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => deleteAccount(ctx, { password: person.password })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ kind: "NOT_SIGNED_IN" });
  expect(ctx.mails).toHaveLength(1);
});

test("a deletion and a request for a link to a new password at the same time, ten times, are both answered", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { ctx, person, user } = await addMember(quickContext());
    await forgotPassword(ctx, { email: person.email });
    ctx.clock.advance(limits.mailCooldownMs);
    await Promise.all([
      forgotPassword(ctx, { email: person.email }),
      deleteAccount(ctx, { password: person.password }),
    ]);
    expect(await isThere(user.id)).toBe(false);
  }
});
