import { expect, test } from "bun:test";
import { createFixedFirewall } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { accountSettings } from "#contract/core-settings.ts";
import { settingsTexts } from "#contract/settings.ts";

const path = "/api/auth/settings/accounts";
const managing = { installed: true, enabled: true, masterSwitchEnabled: true, rateLimitingEnabled: true };

const host = await hostForFile({ settings: "stored", firewall: createFixedFirewall(managing) });
const admin = await host.signedIn("admin");

const read = async () => (await (await admin.call("GET", path)).json()).data;

test("links verify in the same browser until an admin sets something else, which holds immediately", async () => {
  expect(await read()).toEqual(accountSettings.defaults);
  const saved = await admin.call("PUT", path, { verification: "always-choose" });
  expect([saved.status, await saved.json()]).toEqual([
    200,
    {
      success: true,
      message: settingsTexts.accountsSaved,
      data: { ...accountSettings.defaults, verification: "always-choose" },
    },
  ]);
  expect(await read()).toEqual({ ...accountSettings.defaults, verification: "always-choose" });
  expect(host.services.settings.current.accounts).toEqual({
    ...accountSettings.defaults,
    verification: "always-choose",
  });
});

test("what is left out stays as it is", async () => {
  const chosen = { verification: "always-choose", breachedPasswords: "online" };
  await admin.call("PUT", path, chosen);
  await admin.call("PUT", path, { graceDays: 5 });
  expect(await read()).toMatchObject({ ...chosen, graceDays: 5 });
  const { verification, breachedPasswords, graceDays } = accountSettings.defaults;
  await admin.call("PUT", path, { verification, breachedPasswords, graceDays });
});

test("the firewall never locks them, and a change can be taken back", async () => {
  const core = await admin.call("PUT", "/api/auth/settings/core", { rateLimiting: { maxRequests: 50 } });
  expect((await core.json()).code).toBe("MANAGED_BY_FIREWALL");
  await admin.call("PUT", path, { verification: "same-browser" });
  await admin.call("PUT", path, { verification: "always-choose" });
  const { data } = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  expect(data.changes).toMatchObject([
    {
      section: "accounts",
      fields: [{ path: "verification", before: "same-browser", after: "always-choose" }],
      canRevert: true,
    },
  ]);
  const reverted = await admin.call("POST", `/api/auth/settings/history/${data.changes[0].id}/revert`);
  expect(reverted.status).toBe(200);
  expect(await read()).toEqual(accountSettings.defaults);
});

test("what is no choice is refused at its field, and changes nothing", async () => {
  const before = await read();
  for (const body of [
    { verification: "never" },
    { verification: null },
    { verification: true },
    { other: 1 },
  ]) {
    const answer = await admin.call("PUT", path, body);
    expect([body, answer.status]).toEqual([body, 422]);
  }
  const { errors } = await (await admin.call("PUT", path, { verification: "never" })).json();
  expect(errors).toEqual([{ path: "verification", message: "Please choose same-browser or always-choose" }]);
  expect(await read()).toEqual(before);
});
