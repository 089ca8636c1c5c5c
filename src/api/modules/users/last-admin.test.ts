import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { passkeys, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { fakeProviders } from "#api/testing/identity/fake-providers.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { sessionActor } from "#api/testing/session-actor.ts";
import type { User } from "#contract/users.ts";
import { deleteUser, disableUser, setRole } from "./change-users.ts";
import { listUsers } from "./list-users.ts";

const database: TestDatabase = await openTestDatabase();
let ctx: TestContext;
beforeEach(async () => {
  await database.db.delete(users);
  ctx = testContext({ ...database, actor: { kind: "operator" } });
});
afterAll(() => database.close());

const newAdmin = (): Promise<User> => addUser({ ...ctx, hasher: createCheapHasher() }, newPerson(), "admin");
const enabledAdmins = async (): Promise<number> =>
  (await listUsers(ctx, { limit: 25, offset: 0, search: "", role: "admin", status: "active" })).pagination
    .total;

const losses: [string, (ctx: Context, user: string) => Promise<unknown>][] = [
  ["demoted", (who, user) => setRole(who, { user, role: "user" })],
  ["disabled", (who, user) => disableUser(who, { user })],
  ["deleted", (who, user) => deleteUser(who, { user })],
];

describe.each(losses)("the last enabled admin is not %s", (_title, lose) => {
  test("by an admin, nor by the operator, and nothing changes", async () => {
    const admin = await newAdmin();
    const shutOut = await newAdmin();
    await disableUser(ctx, { user: shutOut.id });
    await addUser(ctx, newPerson());
    const before = await contentsOf(database.db);
    for (const who of [ctx, ctx.as(sessionActor(admin))]) {
      expect(await failureOf(lose(who, admin.id))).toMatchObject({ kind: "LAST_ADMIN" });
      expect(await failureOf(lose(who, admin.email))).toMatchObject({ kind: "LAST_ADMIN" });
    }
    expect(await contentsOf(database.db)).toEqual(before);
  });

  test("if the others can't sign in: without password, offered provider or passkey that signs in on its own", async () => {
    const [admin, other] = [await newAdmin(), await newAdmin()];
    const { db, appUrl } = ctx;
    const refused = async () =>
      expect(await failureOf(lose(ctx, admin.id))).toMatchObject({ kind: "LAST_ADMIN" });
    await db.update(users).set({ passwordHash: null }).where(eq(users.id, other.id));
    const moved = { provider: "github", issuer: "https://moved.example", subject: other.id };
    await addIdentity(db, { userId: other.id, ...moved });
    await refused();
    const elsewhere = { ...ctx, providers: fakeProviders("github") };
    expect(await failureOf(lose(elsewhere, admin.id))).toMatchObject({ kind: "LAST_ADMIN" });
    const rpId = new URL(appUrl).hostname;
    await db.insert(passkeys).values({
      ...{ id: newId(), userId: other.id, credentialId: other.id, userHandle: "handle", name: "Key", rpId },
      ...{ publicKey: new Uint8Array(), counter: 0, aaguid: "", transports: [], isBackupEligible: true },
      ...{ isBackedUp: true, needsPassword: true },
    });
    const at = ctx.clock.now();
    const bad = { needsPassword: false, suspectAt: at };
    for (const change of [{}, bad, { suspectAt: null, rpId: "elsewhere.example" }]) {
      await db.update(passkeys).set({ rpId, ...change });
      await refused();
    }
    await db.update(passkeys).set({ rpId });
    await lose(ctx, admin.id);
  });

  test("but is where the other one comes through a provider that is offered", async () => {
    const [admin, other] = [await newAdmin(), await newAdmin()];
    await ctx.db.update(users).set({ passwordHash: null }).where(eq(users.id, other.id));
    await addIdentity(ctx.db, { userId: other.id, provider: "github", subject: other.id });
    await lose({ ...ctx, providers: fakeProviders("github") }, admin.id);
  });

  test("but the last but one is, and so is a disabled one", async () => {
    const [one, two, shutOut] = [await newAdmin(), await newAdmin(), await newAdmin()];
    await disableUser(ctx, { user: shutOut.id });
    await lose(ctx, shutOut.id);
    await lose(ctx, one.id);
    expect(await enabledAdmins()).toBe(1);
    expect(await failureOf(lose(ctx, two.id))).toMatchObject({ kind: "LAST_ADMIN" });
  });

  test("when twenty calls at the same time would leave none: one of two remains", async () => {
    for (let round = 0; round < 3; round += 1) {
      await database.db.delete(users);
      const two = [await newAdmin(), await newAdmin()];
      const calls = Array.from({ length: 20 }, (_, at) => lose(ctx, two[at % 2]?.id ?? ""));
      for (const outcome of await Promise.allSettled(calls)) {
        if (outcome.status === "rejected") expect(["LAST_ADMIN", "NOT_FOUND"]).toContain(outcome.reason.kind);
      }
      expect(await enabledAdmins()).toBe(1);
    }
  });
});

test("different ways to lose two admins at the same time leave one, too", async () => {
  for (let round = 0; round < 5; round += 1) {
    await database.db.delete(users);
    const three = [await newAdmin(), await newAdmin(), await newAdmin()];
    const calls = three.flatMap(({ id }) => losses.map(([, lose]) => lose(ctx, id)));
    await Promise.allSettled(calls);
    expect(await enabledAdmins()).toBe(1);
  }
});
