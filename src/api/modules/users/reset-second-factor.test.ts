import { expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { enableFactor } from "#api/testing/authenticator.ts";
import { signInAgain } from "#api/testing/browsers.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { type TestClient, testPassword } from "#api/testing/host.ts";
import { addPasskey } from "#api/testing/soft-passkey.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { userTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const newRows = createActivityReader(host.services);

const reset = (client: TestClient, user: string | undefined, query = "") =>
  client.call("POST", `/api/admin/users/${user}/second-factor/reset${query}`);
const absent = { name: null, lastUsedAt: null, left: null, blockedAt: null };
const shownOf = async (user: string | undefined) =>
  (await (await admin.call("GET", `/api/admin/users/${user}`)).json()).data.secondFactor;

test("an admin's reset lets the password alone sign in again, ends the sessions, and is told and recorded", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  const { id, email } = member.user ?? {};
  expect(await shownOf(id)).toEqual({
    ...{ enabledAt: host.clock.now().toISOString(), ways: ["code", "recovery"], recoveryCodesLeft: 10 },
  });
  await newRows();
  expect((await reset(admin, id)).status).toBe(200);
  const told = host.mails.findLast(({ to }) => to === email);
  expect(told?.subject).toBe("Two-factor authentication was turned off");
  expect(told?.text).toContain("Time: ");
  expect(told?.text).not.toMatch(/IP address|Device/);
  expect(await shownOf(id)).toBeNull();
  expect((await member.call("GET", "/api/auth/user")).status).toBe(401);
  const login = await host.visitor().call("POST", "/api/auth/login", { email, password: testPassword });
  expect(login.status).toBe(200);
  const [row] = (await newRows()).filter(({ action }) => action === "Reset the second factor of a user");
  expect([row?.severity, row?.description]).toEqual(["critical", email ?? ""]);
});

test("wrong codes of the app that was reset keep the next one neither from being set up nor from being used", async () => {
  const member = await host.signedIn("user");
  await enableFactor(host, member);
  await member.call("POST", "/api/account/totp", {});
  for (const path of ["totp/verify", "confirm"]) {
    const wrong = () => member.call("POST", `/api/account/${path}`, { code: "000000" });
    for (let tries = 0; tries < limits.codeFailures; tries += 1) expect((await wrong()).status).toBe(422);
    expect((await wrong()).status).toBe(429);
  }
  expect((await reset(admin, member.user?.id)).status).toBe(200);
  const again = await signInAgain(host, member);
  const { nextCode } = await enableFactor(host, again);
  expect((await again.call("POST", "/api/account/confirm", { code: nextCode() })).status).toBe(200);
});

test("a reset that keeps passkeys removes app and recovery codes, which are listed without what is secret", async () => {
  const member = await host.signedIn("user");
  const { id, email } = member.user ?? {};
  await enableFactor(host, member);
  const enabled = host.clock.now().toISOString();
  await addPasskey(member);
  const factors = async () => {
    const { data } = await (await admin.call("GET", `/api/admin/users/${email}/second-factor`)).json();
    return data.factors;
  };
  const passkey = { ...absent, way: "passkey", name: expect.any(String), addedAt: expect.any(String) };
  expect(await factors()).toEqual([
    passkey,
    { ...absent, way: "code", addedAt: enabled, lastUsedAt: expect.any(String) },
    { ...absent, way: "recovery", addedAt: enabled, left: 10 },
  ]);
  const keep = () => reset(admin, id, "?keepPasskeys=true");
  expect((await keep()).status).toBe(200);
  expect(host.mails.findLast(({ to }) => to === email)?.subject).toBe("Your authenticator app was removed");
  expect(await factors()).toEqual([passkey]);
  expect((await keep()).status).toBe(409);
  const body = { email, password: testPassword };
  const login = await host.visitor().call("POST", "/api/auth/login", body);
  expect((await login.json()).data).toEqual({ ways: ["passkey"] });
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
