import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { ActivityFact } from "#api/core/activity.ts";
import { newId, newToken } from "#api/core/ids.ts";
import { apiTokens, identities, passkeys, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { checkResetLink, forgotPassword, resetPassword } from "./password-reset.ts";

const database = await databaseForFile();

const password = "another-fine-password";
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Someone whose mailbox was proved ten days ago, with an old and a new identity and an old and a new API token, and with
 * the token of a reset link; `mailboxProvedAt: null` is someone who never followed a link.
 */
const prepared = async ({ isProved = true } = {}) => {
  const { db } = database;
  const recorded: ActivityFact[] = [];
  const world = testContext(database);
  const activity = { ...world.activity, note: (fact: ActivityFact) => void recorded.push(fact) };
  const ctx = { ...world, activity, hasher: createCheapHasher() };
  const person = newPerson();
  const { id: userId } = await addUser(ctx, person);
  const daysAgo = (days: number) => new Date(ctx.clock.now().getTime() - days * dayMs);
  await db
    .update(users)
    .set({ mailboxProvedAt: isProved ? daysAgo(10) : null })
    .where(eq(users.id, userId));
  const subject = newId();
  const google = await addIdentity(db, { userId, provider: "google", subject, linkedAt: daysAgo(3) });
  const github = await addIdentity(db, { userId, provider: "github", subject: `h${subject}` });
  const tokenOf = async (
    name: string,
    created: number,
    more: Partial<typeof apiTokens.$inferInsert> = {},
  ) => {
    const id = newId();
    const hashed = { tokenHash: newToken(32), hint: "hint", scopes: ["users:read" as const] };
    const row = { id, name, createdBy: userId, allowedNetworks: [], createdAt: daysAgo(created), ...hashed };
    await db.insert(apiTokens).values({ ...row, ...more });
    return id;
  };
  const young = await tokenOf("young", 1);
  const old = await tokenOf("old", 20);
  await tokenOf("revoked", 2, { revokedAt: daysAgo(1) });
  await tokenOf("expired", 2, { expiresAt: daysAgo(1) });
  await forgotPassword(ctx, person);
  const [mail] = ctx.mails.splice(0);
  return {
    ctx,
    person,
    recorded,
    userId,
    token: tokenIn(mail),
    ids: { google, github, young, old },
    daysAgo,
  };
};

/** The ids of the ways into an account that still work. */
const left = async (userId: string): Promise<string[]> => {
  const linked = await database.db.select().from(identities).where(eq(identities.userId, userId));
  const made = await database.db.select().from(apiTokens).where(eq(apiTokens.createdBy, userId));
  const live = made.filter(({ name, revokedAt }) => revokedAt === null && name !== "expired");
  return [...linked, ...live].map(({ id }) => id).sort();
};

test("O6: a reset link lists the sign-in methods; what was added since the last emailed link is newer", async () => {
  const { ctx, token, userId, ids, daysAgo } = await prepared();
  const before = await left(userId);
  const { waysIn } = await checkResetLink(ctx, { token });
  expect(waysIn.map(({ isRemovable: _, ...way }) => way)).toEqual([
    { id: ids.github, kind: "github", label: "GitHub", since: null, isNewer: false },
    { id: ids.google, kind: "google", label: "Google", since: daysAgo(3).toISOString(), isNewer: true },
    { id: ids.young, kind: "token", label: "young", since: daysAgo(1).toISOString(), isNewer: true },
    { id: ids.old, kind: "token", label: "old", since: daysAgo(20).toISOString(), isNewer: false },
  ]);
  expect(await left(userId)).toEqual(before);
});

test("O6: a reset removes what is newer, and says so in the answer, in the email and in the log", async () => {
  const { ctx, recorded, token, userId, ids, daysAgo } = await prepared();
  const { data } = await resetPassword(ctx, { token, password });
  expect(data.removed).toEqual([
    { id: ids.google, kind: "google", label: "Google", since: daysAgo(3).toISOString() },
    { id: ids.young, kind: "token", label: "young", since: daysAgo(1).toISOString() },
  ]);
  expect(await left(userId)).toEqual([ids.github, ids.old].sort());
  const words = "Removed: Google (connected 3 days ago), API token young (created yesterday).";
  expect(ctx.mails.map(({ text }) => text).join()).toContain(`Your password was changed. ${words}`);
  // What is left is named there too.
  expect(ctx.mails[0]?.text).toContain("GitHub can still be used to sign in.");
  expect(recorded.map(({ entry }) => entry.description)).toContain(words);
  expect(ctx.published).toContainEqual({ type: "token-changed", tokenId: ids.young });
  expect(ctx.published).toContainEqual({ type: "user-changed", userId });
});

test.each([
  ["alone, it stays", [3], []],
  ["beside one that is as new, both stay", [3, 2], []],
  ["beside an older one, it goes", [3, 20], [3]],
])(
  "a passkey that is newer is removed only where an older second factor stays: %s",
  async (_, ages, removed) => {
    const { ctx, token, userId, daysAgo } = await prepared();
    const nameOf = (days: number) => `${days} days`;
    for (const days of ages)
      await database.db.insert(passkeys).values({
        ...{ id: newId(), userId, credentialId: newToken(32), userHandle: "handle", name: nameOf(days) },
        ...{ publicKey: new Uint8Array(), counter: 0, rpId: "localhost", aaguid: "", transports: [] },
        ...{ isBackupEligible: true, isBackedUp: true, createdAt: daysAgo(days) },
      });
    const { waysIn } = await checkResetLink(ctx, { token });
    const listed = waysIn.filter(({ kind }) => kind === "passkey");
    expect(listed.map(({ label }) => label).sort()).toEqual(ages.map(nameOf).sort());
    const { data } = await resetPassword(ctx, { token, password });
    const gone = data.removed.filter(({ kind }) => kind === "passkey");
    expect(gone.map(({ label }) => label)).toEqual(removed.map(nameOf));
    expect(await database.db.$count(passkeys, eq(passkeys.userId, userId))).toBe(ages.length - gone.length);
  },
);

test("what is kept by name stays, and then counts as known to the owner", async () => {
  const { ctx, person, token, userId, ids } = await prepared();
  const { data } = await resetPassword(ctx, { token, password, keep: [ids.google, "nobody's"] });
  expect(data.removed.map(({ id }) => id)).toEqual([ids.young]);
  expect(await left(userId)).toEqual([ids.google, ids.github, ids.old].sort());
  ctx.mails.length = 0;
  ctx.clock.advance(dayMs);
  await forgotPassword(ctx, person);
  const again = { token: tokenIn(ctx.mails.splice(0)[0]), password: `${password}s` };
  expect((await resetPassword(ctx, again)).data.removed).toEqual([]);
  expect(ctx.mails[0]?.text).not.toContain("Removed");
});

test("to keep nothing is to keep what is older all the same", async () => {
  const { ctx, token, userId, ids } = await prepared();
  await resetPassword(ctx, { token, password, keep: [] });
  expect(await left(userId)).toEqual([ids.github, ids.old].sort());
});

test("O6: who never followed an emailed link loses everything with a known date, and no one else loses anything", async () => {
  const other = await prepared();
  const before = await left(other.userId);
  const { ctx, token, userId, ids } = await prepared({ isProved: false });
  await resetPassword(ctx, { token, password });
  expect(await left(userId)).toEqual([ids.github]);
  expect(await left(other.userId)).toEqual(before);
});
