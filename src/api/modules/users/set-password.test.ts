import { expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { authTexts } from "#contract/auth-texts.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const newRows = createActivityReader(host.services);
const path = (user: string | undefined) => `/api/admin/users/${user}/password`;

const operate = (user: string | undefined, password: string) =>
  host.app.handle(
    new Request(`http://localhost${path(user)}`, {
      ...{ method: "PUT", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ password }),
    }),
    { via: "socket" },
  );

test("the operator gives a user another password, which signs them out, is told and recorded", async () => {
  const member = await host.signedIn("user");
  const { email } = member.user ?? {};
  await newRows();
  expect((await operate(email, "a password from the operator")).status).toBe(200);
  expect((await member.call("GET", "/api/auth/user")).status).toBe(401);
  const credentials = { email, password: "a password from the operator" };
  expect((await host.visitor().call("POST", "/api/auth/login", credentials)).status).toBe(200);
  expect(host.mails.findLast(({ to }) => to === email)?.subject).toBe("Your password was changed");
  const row = (await newRows()).find(({ action }) => action === "Set the password of a user");
  expect([row?.severity, row?.description]).toEqual(["critical", email ?? ""]);
});

test("a password that anyone would guess is refused, and no admin sets one", async () => {
  const [admin, member] = [await host.signedIn("admin"), await host.signedIn("user")];
  const weak = await operate(member.user?.id, "password123");
  const { errors } = await weak.json();
  expect([weak.status, errors]).toEqual([422, [{ path: "password", message: authTexts.passwordCommon }]]);
  const answer = await admin.call("PUT", path(member.user?.id), { password: "a password of an admin" });
  expect([answer.status, (await member.call("GET", "/api/auth/user")).status]).toEqual([403, 200]);
});
