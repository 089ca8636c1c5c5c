import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#api/db/schema.ts";
import { login, register } from "#api/modules/auth/index.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import type { SortOrder, UserSort } from "#contract/users.ts";
import { countUsers, listUsers } from "./list-users.ts";

const database = await databaseForFile();
const ctx = testContext({ ...database, actor: { kind: "operator" } });
for (const [name, email] of [
  ["Ada Lovelace", "ada@engine.example"],
  ["Grace Hopper", "grace@navy.example"],
  ["100% Real_Name\\", "odd@engine.example"],
  ["Élodie Ünal", "elodie@navy.example"],
] as const) {
  await addUser(ctx, newPerson({ name, email }), name.startsWith("Grace") ? "admin" : "user");
  ctx.clock.advance(1_000);
}

const found = async (search: string) => {
  const { users: rows, pagination } = await listUsers(ctx, { limit: 25, offset: 0, search });
  expect(pagination.total).toBe(rows.length);
  return rows.map((row) => row.name);
};

test("users are listed newest first", async () => {
  expect(await found("")).toEqual(["Élodie Ünal", "100% Real_Name\\", "Grace Hopper", "Ada Lovelace"]);
});

test("a page holds what was asked for, and the total counts all", async () => {
  const page = await listUsers(ctx, { limit: 2, offset: 1, search: "" });
  expect(page.users.map((row) => row.name)).toEqual(["100% Real_Name\\", "Grace Hopper"]);
  expect(page.pagination).toEqual({ total: 4, totalIsEstimate: false, limit: 2, offset: 1 });
  const beyond = await listUsers(ctx, { limit: 2, offset: 1_000_000_000, search: "" });
  expect(beyond).toEqual({
    users: [],
    pagination: { total: 4, totalIsEstimate: false, limit: 2, offset: 1_000_000_000 },
  });
});

describe("L6: a search", () => {
  test.each([
    ["lovelace", ["Ada Lovelace"]],
    [" NAVY.example ", ["Élodie Ünal", "Grace Hopper"]],
    ["élodie", ["Élodie Ünal"]],
    ["%", ["100% Real_Name\\"]],
    ["_", ["100% Real_Name\\"]],
    ["\\", ["100% Real_Name\\"]],
    ["'; drop table users; --", []],
    ["nobody", []],
  ])("for %p finds names and addresses that hold it, letter by letter", async (search, names) => {
    expect(await found(search)).toEqual(names);
  });
});

test("a role and a status narrow the list, alone, together and with a search", async () => {
  const disabled = await addUser(ctx, newPerson({ name: "Gone Hopper" }), "admin");
  await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, disabled.id));
  const namesOf = async (filter: {
    role?: "user" | "admin";
    status?: "active" | "disabled";
    search?: string;
  }) => {
    const { users: rows, pagination } = await listUsers(ctx, { limit: 25, offset: 0, search: "", ...filter });
    expect(pagination.total).toBe(rows.length);
    return rows.map((row) => row.name);
  };
  expect(await namesOf({ role: "admin" })).toEqual(["Gone Hopper", "Grace Hopper"]);
  expect(await namesOf({ status: "disabled" })).toEqual(["Gone Hopper"]);
  expect(await namesOf({ role: "admin", status: "active" })).toEqual(["Grace Hopper"]);
  expect(await namesOf({ role: "user", search: "engine" })).toEqual(["100% Real_Name\\", "Ada Lovelace"]);
  expect(await namesOf({ role: "user", status: "disabled" })).toEqual([]);
  await database.db.delete(users).where(eq(users.id, disabled.id));
});

test("a user shows when they were last seen and whether they are disabled", async () => {
  const person = newPerson();
  const { id } = await addUser(ctx, person);
  const row = async () => (await listUsers(ctx, { limit: 1, offset: 0, search: person.email })).users[0];
  expect(await row()).toMatchObject({ disabled: false, lastSeenAt: null });
  await login(ctx, person);
  ctx.clock.advance(5_000);
  await login(ctx, person);
  expect(await row()).toMatchObject({ lastSeenAt: ctx.clock.now().toISOString() });
  await database.db.update(users).set({ disabledAt: ctx.clock.now() }).where(eq(users.id, id));
  expect(await row()).toMatchObject({ disabled: true });
  await database.db.delete(users).where(eq(users.id, id));
});

describe("a sorted list", () => {
  const names = async (given: { sort?: UserSort; order?: SortOrder }) => {
    const all = await listUsers(ctx, { limit: 25, offset: 0, search: "sorted.example", ...given });
    // The same rows page by page: none twice and none missing, also among equals.
    const paged: string[] = [];
    for (let offset = 0; offset < all.users.length; offset += 1) {
      const page = await listUsers(ctx, { limit: 1, offset, search: "sorted.example", ...given });
      paged.push(...page.users.map(({ id }) => id));
    }
    expect(paged).toEqual(all.users.map(({ id }) => id));
    return all.users.map(({ name }) => name).join(" ");
  };

  test("has the order asked for in both directions, with users who were never seen before all others", async () => {
    // Made at one moment, so that only their ids tell them apart there.
    const people = [
      ["bea", "2@sorted.example"],
      ["Cai", "1@sorted.example"],
      ["Abe", "3@sorted.example"],
      ["Dot", "0@sorted.example"],
    ] as const;
    const added = [];
    for (const [name, email] of people) added.push(await addUser(ctx, newPerson({ name, email })));
    for (const at of [2, 0]) {
      ctx.clock.advance(1_000);
      await login(ctx, newPerson({ email: people[at]?.[1] ?? "" }));
    }
    expect(await names({})).toBe(await names({ sort: "created", order: "desc" }));
    expect(await names({ order: "asc" })).toBe((await names({})).split(" ").reverse().join(" "));
    expect(await names({ sort: "name" })).toBe("Abe bea Cai Dot");
    expect(await names({ sort: "name", order: "desc" })).toBe("Dot Cai bea Abe");
    expect(await names({ sort: "email" })).toBe("Dot Cai bea Abe");
    expect(await names({ sort: "email", order: "desc" })).toBe("Abe bea Cai Dot");
    expect(await names({ sort: "lastSeen" })).toMatch(/^bea Abe (?:Cai Dot|Dot Cai)$/);
    expect(await names({ sort: "lastSeen", order: "asc" })).toMatch(/^(?:Cai Dot|Dot Cai) Abe bea$/);
    for (const { id } of added) await database.db.delete(users).where(eq(users.id, id));
  });
});

test("the counts tell users, admins, and addresses that wait for their verification", async () => {
  const { email } = newPerson();
  await register(ctx, newPerson({ email }));
  await register(ctx, newPerson({ email }));
  expect(await countUsers(ctx)).toEqual({ total: 4, admins: 1, pending: 1 });
  ctx.clock.advance(limits.verificationTokenMs);
  expect(await countUsers(ctx)).toMatchObject({ pending: 0 });
});
