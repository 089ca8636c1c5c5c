import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Context } from "#api/core/context.ts";
import { users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
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
    for (const who of [ctx, ctx.as({ kind: "user", user: admin, sessionHash: "", provenAt: new Date(0) })]) {
      expect(await failureOf(lose(who, admin.id))).toMatchObject({ kind: "LAST_ADMIN" });
      expect(await failureOf(lose(who, admin.email))).toMatchObject({ kind: "LAST_ADMIN" });
    }
    expect(await contentsOf(database.db)).toEqual(before);
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
