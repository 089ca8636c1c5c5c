import { afterAll, beforeAll, expect, test } from "bun:test";
import { createActivityReader, type LoggedActivity } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestClient, type TestHost, testPassword } from "#api/testing/host.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { userTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

let host: TestHost;
let admin: TestClient;
let newRows: () => Promise<LoggedActivity[]>;
beforeAll(async () => {
  host = await createTestHost({ hasher: createCheapHasher() });
  admin = await host.signedIn("admin");
  newRows = createActivityReader(host.services);
});
afterAll(() => host.close());

const reset = (client: TestClient, user: string | undefined) =>
  client.call("POST", `/api/admin/users/${user}/second-factor/reset`);
const shownOf = async (user: string | undefined) =>
  (await (await admin.call("GET", `/api/admin/users/${user}`)).json()).data.secondFactor;

test("an admin's reset lets the password alone sign in again, ends the sessions, and is told and recorded", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  const { id, email } = member.user ?? {};
  expect(await shownOf(id)).toEqual({ enabledAt: host.clock.now().toISOString(), recoveryCodesLeft: 10 });
  await newRows();
  expect((await reset(admin, id)).status).toBe(200);
  const told = host.mails.findLast(({ to }) => to === email);
  expect(told?.subject).toBe("Your second factor was removed");
  expect(await shownOf(id)).toBeNull();
  expect((await member.call("GET", "/api/auth/user")).status).toBe(401);
  const login = await host.visitor().call("POST", "/api/auth/login", { email, password: testPassword });
  expect(login.status).toBe(200);
  const [row] = (await newRows()).filter(({ action }) => action === "Reset the second factor of a user");
  expect([row?.severity, row?.description]).toEqual(["critical", email ?? ""]);
});

test("wrong codes of the app that was reset don't keep the next one from being set up", async () => {
  const member = await host.signedIn("user");
  const verify = () => member.call("POST", "/api/account/totp/verify", { code: "000000" });
  await enableFactor(host, member);
  await member.call("POST", "/api/account/totp", {});
  for (let tries = 0; tries < limits.codeFailures; tries += 1) expect((await verify()).status).toBe(422);
  expect((await verify()).status).toBe(429);
  expect((await reset(admin, member.user?.id)).status).toBe(200);
  await enableFactor(host, await signInAgain(host, member));
});

test("a user without a second factor has none to reset", async () => {
  const member = await host.signedIn("user");
  const answer = await reset(admin, member.user?.id);
  expect([answer.status, (await answer.json()).message]).toEqual([409, userTexts.noSecondFactor]);
});

test("no API token resets one, and the control socket does", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  const token = await newTokenClient(host, { scopes: ["*"] });
  const path = `/api/admin/users/${member.user?.id}/second-factor/reset`;
  const refused = await token.call("POST", path);
  expect([refused.status, (await refused.json()).code]).toEqual([403, "SESSION_REQUIRED"]);
  const request = new Request(`http://localhost${path}`, { method: "POST" });
  expect((await host.app.handle(request, { via: "socket" })).status).toBe(200);
});
