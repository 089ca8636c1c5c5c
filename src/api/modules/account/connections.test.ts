import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { IdentityProviders } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { passkeys, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import { addMember } from "#api/testing/add-member.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { fakeProviders } from "#api/testing/identity/fake-providers.ts";
import { limits } from "#contract/limits.ts";
import { deleteAccount } from "./delete-account.ts";
import { linkProvider, unlinkProvider } from "./linked-providers.ts";
import { readAccount } from "./operations.ts";

const database = await databaseForFile();

const all = fakeProviders("google", "github", "acme");
const none = fakeProviders();

type Start = { providers?: IdentityProviders; password?: boolean; google?: boolean; github?: boolean };

/** Someone with the ways in that are named; with a password unless told otherwise. */
const memberWith = async ({ providers = all, password = true, google, github }: Start) => {
  const member = await addMember(testContext(database));
  const { id } = member.user;
  const { db } = database;
  if (google) await addIdentity(db, { userId: id, provider: "google", subject: `g-${id}` });
  if (github) await addIdentity(db, { userId: id, provider: "github", subject: `h-${id}` });
  if (!password) await db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
  return { ...member, ctx: { ...member.ctx, providers } };
};
const rowOf = async (id: string) => {
  const [row] = await database.db.select(userColumns).from(users).where(eq(users.id, id));
  return row;
};
const refusal = async (work: (ctx: TestContext) => Promise<unknown>, ctx: TestContext) => {
  const before = await contentsOf(database.db);
  const failure = await failureOf(work(ctx));
  expect(await contentsOf(database.db)).toEqual(before);
  expect([ctx.mails, ctx.published]).toEqual([[], []]);
  return failure;
};

test("the account tells for each provider whether it is offered and whether it is linked", async () => {
  const { ctx } = await memberWith({ providers: fakeProviders("google", "acme"), github: true });
  expect(await readAccount(ctx)).toMatchObject({
    hasPassword: true,
    providers: {
      google: { label: "Google", configured: true, linked: false },
      github: { label: "GitHub", configured: false, linked: true },
      acme: { label: "acme", configured: true, linked: false },
    },
  });
});

describe("linking", () => {
  test("gives the provider's address and the browser's secret, and stores nothing", async () => {
    const { ctx, person } = await memberWith({});
    const before = await contentsOf(database.db);
    const request = { provider: "google", browserSecret: null, password: person.password };
    const { url, browserSecret } = await linkProvider(ctx, request);
    expect(url).toStartWith("https://id.example/authorize?state=");
    expect(browserSecret).toMatch(/^[\w-]{43}$/);
    expect(url).not.toContain(browserSecret);
    expect(await contentsOf(database.db)).toEqual(before);
  });

  test("keeps the secret of a browser that has one", async () => {
    const { ctx, person } = await memberWith({});
    const browserSecret = "B".repeat(43);
    const request = { provider: "github", browserSecret, password: person.password };
    expect(await linkProvider(ctx, request)).toMatchObject({ browserSecret });
  });

  test("takes a session of the last ten minutes where there is no password", async () => {
    const { ctx } = await memberWith({ password: false, github: true });
    ctx.clock.advance(limits.freshSessionMs - 1);
    const { url } = await linkProvider(ctx, { provider: "google", browserSecret: null });
    expect(url).toStartWith("https://id.example/authorize?state=");
  });

  const link = (name: string, password?: string) => (caller: TestContext) =>
    linkProvider(caller, {
      provider: name,
      browserSecret: null,
      ...(password === undefined ? {} : { password }),
    });

  const cases: [string, Start, string, string][] = [
    ["a provider that is linked already", { google: true }, "google", "CONFLICT"],
    ["a provider that is not set up", { providers: none }, "google", "PROVIDER_NOT_CONFIGURED"],
    ["an unknown provider", {}, "gitlab", "NOT_FOUND"],
    ["a provider named like an object's member", {}, "constructor", "NOT_FOUND"],
  ];
  test.each(cases)("is refused for %s, and changes nothing", async (_title, start, name, kind) => {
    const { ctx, person } = await memberWith(start);
    expect(await refusal(link(name, person.password), ctx)).toMatchObject({ kind });
  });

  test("is refused without the password, however young the session, and changes nothing", async () => {
    const { ctx } = await memberWith({});
    const failure = { kind: "VALIDATION_FAILED", errors: [{ path: "password" }] };
    expect(await refusal(link("google"), ctx)).toMatchObject(failure);
  });

  test("is refused in an old session without a password, whatever is sent, and changes nothing", async () => {
    const { ctx, person } = await memberWith({ password: false, github: true });
    ctx.clock.advance(limits.freshSessionMs);
    for (const password of [undefined, person.password])
      expect(await refusal(link("google", password), ctx)).toMatchObject({
        kind: "REAUTHENTICATION_REQUIRED",
      });
  });

  test("with the right password ends the row of wrong ones that its owner would be told of", async () => {
    const { ctx, person } = await memberWith({});
    const wrong = () => failureOf(link("google", "not-the-password")(ctx));
    for (let guess = 1; guess < limits.confirmFailures; guess += 1) await wrong();
    await link("google", person.password)(ctx);
    await wrong();
    expect(ctx.mails).toEqual([]);
  });

  test("W2: is refused after ten wrong passwords, there or at the deletion, even with the right one", async () => {
    const { ctx, person } = await memberWith({});
    for (let guess = 0; guess < limits.passwordChecksByUser / 2; guess += 1) {
      const wrong = { kind: "VALIDATION_FAILED", errors: [{ path: "password" }] };
      expect(await failureOf(link("google", "not-the-password")(ctx))).toMatchObject(wrong);
      await failureOf(deleteAccount(ctx, { password: "not-the-password" }));
    }
    // The email about failures in a row.
    ctx.mails.length = 0;
    expect(await refusal(link("google", person.password), ctx)).toMatchObject({ kind: "RATE_LIMITED" });
  });
});

describe("unlinking", () => {
  const allowed: [string, Start][] = [
    ["a password", {}],
    ["another provider", { password: false, github: true }],
    ["a password, though no provider is set up any more", { providers: none }],
  ];
  test.each(allowed)("goes where %s is left, and an email tells", async (_title, start) => {
    const { ctx, user, person } = await memberWith({ ...start, google: true });
    const seen = { ...ctx, ip: "192.0.2.7" };
    expect(await unlinkProvider(seen, { provider: "google" })).toEqual({ label: "Google" });
    expect((await rowOf(user.id))?.subjects).not.toHaveProperty("google");
    expect(ctx.published).toEqual([{ type: "user-changed", userId: user.id }]);
    const subject = "Google was unlinked from your account";
    expect(ctx.mails).toMatchObject([{ to: person.email, subject }]);
    expect(ctx.mails[0]?.text).toContain("192.0.2.7");
  });

  test("goes where a passkey is left that signs in on its own", async () => {
    const { ctx, user } = await memberWith({ password: false, google: true });
    await ctx.db.insert(passkeys).values({
      ...{ id: newId(), userId: user.id, credentialId: user.id, userHandle: "handle", name: "Key" },
      ...{ rpId: new URL(ctx.appUrl).hostname, publicKey: new Uint8Array(), counter: 0, aaguid: "" },
      ...{ transports: [], isBackupEligible: true, isBackedUp: true, needsPassword: false },
    });
    expect(await unlinkProvider(ctx, { provider: "google" })).toEqual({ label: "Google" });
  });

  const refused: [string, Start, string, string][] = [
    ["the only sign-in method", { password: false, google: true }, "google", "LAST_SIGN_IN_METHOD"],
    [
      "the only provider that is still set up",
      { password: false, google: true, github: true, providers: fakeProviders("google") },
      "google",
      "LAST_SIGN_IN_METHOD",
    ],
    ["a provider that is not linked", { github: true }, "google", "NOT_FOUND"],
    ["an unknown provider", { google: true }, "Google", "NOT_FOUND"],
  ];
  test.each(refused)("is refused for %s, and changes nothing", async (_title, start, name, kind) => {
    const { ctx } = await memberWith(start);
    const unlink = (caller: TestContext) => unlinkProvider(caller, { provider: name });
    expect(await refusal(unlink, ctx)).toMatchObject({ kind });
  });

  test("both providers at the same time, twenty times, never leaves an account that nothing opens", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { ctx, user } = await memberWith({ password: false, google: true, github: true });
      const outcomes = await Promise.allSettled([
        unlinkProvider(ctx, { provider: "google" }),
        unlinkProvider(ctx, { provider: "github" }),
      ]);
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      expect(failures).toMatchObject([{ kind: "LAST_SIGN_IN_METHOD" }]);
      const row = await rowOf(user.id);
      expect(Object.keys(row?.subjects ?? {})).toHaveLength(1);
      expect(ctx.mails).toHaveLength(1);
    }
  });
});
