import type { Page } from "playwright-core";
import type { PluginDetails } from "#contract/plugins.ts";
import { failure, json } from "./answers.ts";
import { askedPermissions, manyPlugins, pendingDetails, plugin } from "./many-plugins.ts";
import type { Step as Act } from "./steps.ts";

const at = "2026-10-28T09:00:00.000Z";
const signature = { state: "signed", keyId: null, publisher: "Northwind Tools", signedAt: at } as const;
const kept = {
  ...{ sizeBytes: 1_240_000, sha256: "ab".repeat(32), signature, permissions: askedPermissions },
  ...{ uploadedAt: at, uploadedBy: null },
};

const notes = (change: Partial<PluginDetails> = {}): PluginDetails => ({
  ...pendingDetails(
    plugin({ name: "visitor-notes", title: "Visitor notes", enabled: true, state: "running" }),
  ),
  ...{ author: "Northwind Tools", license: "MIT", homepage: "https://northwind.example", hasSettings: true },
  dependencies: { licensing: "^1.0.0" },
  dependents: ["weather"],
  granted: askedPermissions.map((permission, index) => ({
    ...permission,
    ...{ used: index * 1_204, refused: index === 2 ? 3 : 0, lastUsedAt: index === 0 ? null : at },
  })),
  pendingPermissions: [],
  versions: [
    { ...kept, version: "1.2.3", publisherChanged: null, isCurrent: true },
    { ...kept, version: "1.2.2", publisherChanged: null, isCurrent: false },
  ],
  replicas: [
    {
      ...{ replica: "a1b2", state: "running", version: "1.2.3", error: null, isolation: "process+seccomp" },
      ...{ memoryBytes: 17_400_000, startedAt: at, seenAt: at },
    },
  ],
  routes: [{ method: "GET", path: "/notes", access: "admin", summary: "All notes" }],
  jobs: [{ name: "sweep", everyMs: 60_000, lastRunAt: at, lastError: "TypeError: notes is not iterable" }],
  data: {
    keys: 1_204,
    files: 3,
    fileBytes: 1_200_000,
    secrets: 2,
    settings: 5,
    usedBytes: 1_310_000,
    quotaBytes: 100_000_000,
  },
  ...change,
});

const show =
  (change: Partial<PluginDetails>, wait: (page: Page) => Promise<void>): Act =>
  async (page, go) => {
    await page.route(/\/api\/plugins$/, json(200, { success: true, data: manyPlugins }));
    await page.route("**/api/plugins/visitor-notes", json(200, { success: true, data: notes(change) }));
    await page.route("**/api/plugins/visitor-notes/logs?*", log);
    await page.route("**/api/plugins/visitor-notes/settings", json(200, { success: true, data: settings }));
    await go();
    await wait(page);
  };

const log = json(200, {
  success: true,
  data: {
    replica: "a1b2",
    lines: (["debug", "info", "warn", "error"] as const).map((level, index) => ({
      ...{ id: index + 1, at, level, replica: "a1b2" },
      message: `A line of the level ${level} that is long enough to be broken on a phone`,
    })),
  },
});

const settings = {
  schema: {
    type: "object",
    properties: {
      greeting: { type: "string", title: "Greeting", description: "Said to everybody", minLength: 3 },
      most: { type: "integer", title: "At most", default: 10 },
      isLoud: { type: "boolean", title: "Loud", description: "Whether it shouts" },
      mode: { type: "string", title: "Mode", enum: ["fast", "safe"] },
      hosts: { type: "array", title: "Hosts", items: { type: "string" } },
      key: { type: "string", title: "Key", "x-secret": true },
      mail: { type: "object", title: "Mail", properties: { to: { type: "string", title: "To" } } },
    },
  },
  values: { greeting: "Hello", most: 10, key: "" },
  secrets: { key: true },
};

export const overview = show({}, (page) => page.getByText("TypeError: notes").waitFor());

export const broken = show(
  { enabled: false, state: "quarantined", error: "It failed four times in a minute" },
  (page) => page.getByText("It was stopped").waitFor(),
);

export const pending = show(
  { pendingVersion: "2.0.0", pendingPermissions: askedPermissions.slice(2, 3) },
  (page) => page.getByText("Version 2.0.0 requests more permissions").waitFor(),
);

export const versions = show({}, (page) => page.getByText("In use").waitFor());

export const settingsForm = show({}, async (page) => {
  await page.getByLabel("Greeting").fill("Hi");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Please give at least 3 characters").waitFor();
});

export const logLines = show({}, (page) => page.getByText("of the level error").waitFor());

export const data = show({}, (page) => page.getByText("1,204").waitFor());

export const failed: Act = async (page, go) => {
  await page.route(
    "**/api/plugins/visitor-notes",
    failure(503, "DB_UNAVAILABLE", "The database is restarting."),
  );
  await go();
  await page.getByRole("main").getByRole("alert").waitFor();
};
