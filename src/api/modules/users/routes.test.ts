import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { newPerson } from "#api/testing/people.ts";

let host: TestHost;
let clients: Record<"visitor" | "user" | "admin", TestClient>;
beforeAll(async () => {
  host = await createTestHost();
  clients = {
    visitor: host.visitor(),
    user: await host.signedIn("user"),
    admin: await host.signedIn("admin"),
  };
});
afterAll(() => host.close());

const path = "/api/admin/users";
const whoever = ["visitor", "user", "admin"] as const;
const refusedFirst = { visitor: 401, user: 403 } as const;

test("an admin's new user is answered whole and can sign in at once", async () => {
  const person = newPerson();
  const { email, password } = person;
  const answer = await clients.admin.call("POST", path, { ...person, role: "user" });
  expect(answer.status).toBe(201);
  const { data, ...rest } = await answer.json();
  expect(rest).toEqual({ success: true, message: "The user was added" });
  expect(Object.keys(data).sort()).toEqual(
    ["createdAt", "email", "emailVerified", "githubId", "googleId", "id", "name", "role"].sort(),
  );
  const signIn = await host.visitor().call("POST", "/api/auth/login", { email, password });
  expect((await signIn.json()).user).toEqual(data);
});

test("the list shows users with their state, and never a hash", async () => {
  const answer = await clients.admin.call("GET", `${path}?limit=2&offset=0&search=person-`);
  const text = await answer.text();
  expect(text).not.toContain("argon2");
  const { data } = JSON.parse(text);
  expect(data.pagination).toEqual({ total: 2, totalIsEstimate: false, limit: 2, offset: 0 });
  expect(data.users[0]).toMatchObject({ role: "admin", disabled: false });
  expect(data.users[0].lastSeenAt).toBe(host.clock.now().toISOString());
});

test("the list is sorted as asked for", async () => {
  const emails = async (query: string) => {
    const { data } = await (await clients.admin.call("GET", `${path}?${query}`)).json();
    return data.users.map(({ email }: { email: string }) => email);
  };
  const sorted = await emails("sort=email");
  expect(sorted).toEqual([...sorted].sort());
  expect(await emails("sort=email&order=desc")).toEqual([...sorted].reverse());
});

test("without a query the first 25 are listed", async () => {
  const { data } = await (await clients.admin.call("GET", path)).json();
  expect(data.pagination).toMatchObject({ limit: 25, offset: 0 });
});

describe("a listing that makes no sense is refused for an admin, and for others before it is looked at:", () => {
  test.each([
    "limit=0",
    "limit=-1",
    "limit=101",
    "limit=1e9",
    "limit=2.5",
    "limit=all",
    "offset=-1",
    "offset=1e12",
    "offset=x",
    "search=%00",
    `search=${"s".repeat(255)}`,
    "role=owner",
    "role=",
    "role=admin&role=user",
    "status=deleted",
    "status=",
    "order=name",
    "order=",
    "sort=password",
    "sort=passwordHash",
    "sort=name;drop table users",
    "sort=name&sort=email",
    "__proto__=1",
  ])("%s", async (query) => {
    for (const who of whoever) {
      const answer = await clients[who].call("GET", `${path}?${query}`);
      expect([who, answer.status]).toEqual([who, who === "admin" ? 422 : refusedFirst[who]]);
    }
  });
});

describe("an addition that will not do is refused and changes nothing:", () => {
  const good = { ...newPerson(), role: "user" };
  const cases: [string, unknown, number][] = [
    ["no body fields", {}, 422],
    ["no role", newPerson(), 422],
    ["a role that does not exist", { ...good, role: "owner" }, 422],
    ["a role in a list", { ...good, role: ["admin"] }, 422],
    ["a short password", { ...good, password: "1234567" }, 422],
    ["W3: a common password", { ...good, password: "password1" }, 422],
    ["E4: a name with a line break", { ...good, name: "Ada\nBcc: x@x.example" }, 422],
    ["no address", { ...good, email: "ada" }, 422],
    ["Z3: an id", { ...good, id: crypto.randomUUID() }, 422],
    ["Z3: a verified flag", { ...good, emailVerified: false }, 422],
    ["Z3: a prototype", JSON.parse(`{"__proto__":{"role":"admin"},${JSON.stringify(good).slice(1)}`), 422],
  ];
  test.each(cases)("%s", async (_title, body, status) => {
    const before = await contentsOf(host.db);
    for (const who of whoever) {
      const answer = await clients[who].call("POST", path, body);
      expect([who, answer.status]).toEqual([who, who === "admin" ? status : refusedFirst[who]]);
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });

  test("an address that is taken", async () => {
    const body = { ...newPerson({ email: clients.user.user?.email ?? "" }), role: "user" };
    const before = await contentsOf(host.db);
    const answer = await clients.admin.call("POST", path, body);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: "CONFLICT", errors: [{ path: "email" }] });
    expect(await contentsOf(host.db)).toEqual(before);
  });
});
