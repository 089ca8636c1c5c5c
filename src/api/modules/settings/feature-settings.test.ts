import { expect, test } from "bun:test";
import { settingsOf } from "#api/core/feature-server.ts";
import { settingSecrets, settings } from "#api/db/schema.ts";
import { jobContext } from "#api/http/server/serve.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { choice, integer, text } from "#contract/define-settings.ts";
import { featureSecret, featureSettings } from "#contract/feature-settings.ts";
import { settingsRuns } from "./change-settings.ts";

const boats = featureSettings("boats", {
  greeting: text({ default: "Ahoy", max: 20, label: "Greeting" }),
  most: integer({ default: 3, min: 1, max: 9, label: "Boats for each member" }),
  wind: choice({ default: "calm", options: { calm: "Calm", storm: "Storm" }, label: "Wind" }),
  apiKey: featureSecret({ label: "Key of the weather service" }),
});
const runs = settingsRuns(boats);

const host = await hostForFile({ settings: "stored" });
Object.assign(host.services, { featureSettings: [boats] });
const admin = await host.signedIn("admin");

const ctx = () => jobContext(host.services);
const live = () => settingsOf(host.services, boats);
const told = { greeting: "Ahoy", most: 3, wind: "calm", hasApiKey: false } as const;

test("settings of a feature have their defaults until an admin changes them; then they are in force, and in the history", async () => {
  expect(await runs.settings(ctx())).toEqual(told);
  const { data } = await runs.setSettings(ctx(), { greeting: " Hello ", wind: "storm" });
  expect(data).toEqual({ ...told, greeting: "Hello", wind: "storm" });
  expect(live()).toEqual({ greeting: "Hello", most: 3, wind: "storm", apiKey: null });
  const history = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  const [change] = history.data.changes;
  expect(change).toMatchObject({ section: "features.boats", canRevert: true });
  expect(change.fields).toMatchObject([
    { path: "greeting", before: "Ahoy", after: "Hello" },
    { path: "wind" },
  ]);
  expect((await admin.call("POST", `/api/auth/settings/history/${change.id}/revert`)).status).toBe(200);
  expect(live()).toMatchObject({ greeting: "Ahoy", wind: "calm" });
});

test("a secret is stored encrypted, told only to the server, kept when it is left empty and removed by null", async () => {
  expect((await runs.setSettings(ctx(), { apiKey: "s3cr3t-key" })).data).toEqual({
    ...told,
    hasApiKey: true,
  });
  expect(live().apiKey).toBe("s3cr3t-key");
  const rows = [await host.db.select().from(settings), await host.db.select().from(settingSecrets)];
  expect(JSON.stringify(rows)).not.toContain("s3cr3t");
  await runs.setSettings(ctx(), { apiKey: "", most: 4 });
  expect(live()).toMatchObject({ apiKey: "s3cr3t-key", most: 4 });
  await runs.setSettings(ctx(), { apiKey: null, most: 3 });
  expect(live().apiKey).toBeNull();
  const { data } = await (await admin.call("GET", "/api/auth/settings/history?limit=3")).json();
  expect(JSON.stringify(data)).not.toContain("s3cr3t");
});

test.each([
  ["greeting", ""],
  ["most", 10],
  ["wind", "breeze"],
  ["apiKey", "x".repeat(501)],
])("a value that %s can't have is refused at its field, and nothing changes", async (path, value) => {
  const before = live();
  expect(await failureOf(runs.setSettings(ctx(), { [path]: value }))).toMatchObject({ errors: [{ path }] });
  expect(live()).toEqual(before);
});
