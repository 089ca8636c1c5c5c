import { expect, test } from "bun:test";
import { hostForFile } from "#api/testing/for-file.ts";
import { newPerson } from "#api/testing/people.ts";

const host = await hostForFile();
await host.signedIn("user");
const admin = await host.signedIn("admin");

const path = "/api/admin/users";

test("an admin's new user is returned completely and can sign in immediately", async () => {
  const person = newPerson();
  const { email, password } = person;
  const answer = await admin.call("POST", path, { ...person, role: "user" });
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
  const answer = await admin.call("GET", `${path}?limit=2&offset=0&search=person-`);
  const text = await answer.text();
  expect(text).not.toContain("argon2");
  const { data } = JSON.parse(text);
  expect(data.pagination).toEqual({ total: 2, totalIsEstimate: false, limit: 2, offset: 0 });
  expect(data.users[0]).toMatchObject({ role: "admin", disabled: false });
  expect(data.users[0].lastSeenAt).toBe(host.clock.now().toISOString());
});

test("without a query the first 25 are listed", async () => {
  const { data } = await (await admin.call("GET", path)).json();
  expect(data.pagination).toMatchObject({ limit: 25, offset: 0 });
});
