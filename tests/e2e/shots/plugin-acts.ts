import type { Page } from "playwright-core";
import type { PackagePreview, Plugin } from "#contract/plugins.ts";
import { failure, json } from "./answers.ts";
import {
  askedPermissions,
  manyPlugins,
  packagePreview,
  pendingDetails,
  trustedKeys,
} from "./many-plugins.ts";
import type { Step as Act } from "./steps.ts";

const list = /\/api\/plugins$/;
const stub = (page: Page, plugins: Plugin[] = manyPlugins) =>
  page.route(list, json(200, { success: true, data: plugins }));

const table = (page: Page) => page.getByRole("table", { name: "Plugins", exact: true });

export const many: Act = async (page, go) => {
  await stub(page);
  await go();
  await table(page).getByRole("row").nth(manyPlugins.length).waitFor();
};

export const none: Act = async (page, go) => {
  await stub(page, []);
  await go();
  await page.getByText("No plugins yet").waitFor();
};

export const loading: Act = async (page, go) => {
  await page.route(list, () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
};

export const failed: Act = async (page, go) => {
  await page.route(list, failure(503, "DB_UNAVAILABLE", "The database is restarting."));
  await go();
  await page.getByRole("main").getByRole("alert").waitFor();
};

export const askToDelete: Act = async (page, go) => {
  const data = {
    keys: 1_204,
    files: 3,
    fileBytes: 1_200_000,
    secrets: 2,
    settings: 5,
    usedBytes: 1_310_000,
    quotaBytes: 100_000_000,
  };
  await page.route("**/api/plugins/licensing/data", json(200, { success: true, data }));
  await page.route("**/api/plugins/visitor-notes/data", json(200, { success: true, data }));
  await many(page, go);
  await page.getByRole("button", { name: "Delete Visitor notes" }).click();
  await page.getByText("1,204 entries").waitFor();
};

export const deleteWrongly: Act = async (page, go) => {
  await askToDelete(page, go);
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("This doesn't match the plugin's name").waitFor();
};

export const consent: Act = async (page, go) => {
  const [, , , unsigned] = manyPlugins;
  const data = { permissions: askedPermissions, signature: unsigned?.signature };
  await page.route(
    "**/api/plugins/firewall/toggle",
    failure(409, "CONSENT_REQUIRED", "Permissions have to be granted first", { data }),
  );
  await many(page, go);
  await page.getByRole("switch", { name: "Enable Firewall" }).click();
  await page.getByText("Connect to other servers").waitFor();
};

export const review: Act = async (page, go) => {
  const [, , , waiting] = manyPlugins;
  if (waiting !== undefined)
    await page.route("**/api/plugins/weather", json(200, { success: true, data: pendingDetails(waiting) }));
  await many(page, go);
  await page.getByRole("button", { name: "Version 2.0.0 is waiting: review Weather" }).click();
  await page.getByText("Connect to other servers").waitFor();
};

export const upload: Act = async (page, go) => {
  await many(page, go);
  await page.getByRole("button", { name: "Upload Plugin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByText("Please select a plugin file").waitFor();
};

const send = async (page: Page) => {
  await page.getByRole("button", { name: "Upload Plugin" }).click();
  const file = { name: "weather-report.zip", mimeType: "application/zip", buffer: Buffer.alloc(1_240_000) };
  await page.getByLabel("Plugin package").setInputFiles(file);
  await page.getByRole("dialog").getByRole("button", { name: "Upload", exact: true }).click();
};

const inspected = async (page: Page, go: () => Promise<void>, change: Partial<PackagePreview>) => {
  await page.route("**/api/plugins/inspect", json(200, { success: true, data: packagePreview(change) }));
  await many(page, go);
  await send(page);
  await page.getByRole("heading", { name: "Weather report" }).waitFor();
};

export const uploadPreview: Act = (page, go) => inspected(page, go, {});

export const uploadObstacles: Act = (page, go) =>
  inspected(page, go, {
    installedVersion: "1.1.0",
    needsDowngrade: true,
    obstacles: ["It needs Atrium 9.0.0 or later, and this is 1.0.0."],
    signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null },
    dependencies: [{ name: "firewall", range: "^2.0.0", state: "outdated" }],
  });

export const uploadRefused: Act = async (page, go) => {
  const errors = [
    { path: "plugin.json", message: "This field is missing: version" },
    { path: "backend/index.js", message: "The file is listed but is not there" },
  ];
  await page.route(
    "**/api/plugins/inspect",
    failure(422, "PLUGIN_INVALID", "This package is not a usable plugin", { errors }),
  );
  await many(page, go);
  await send(page);
  await page.getByText("This field is missing").waitFor();
};

export const uploadSending: Act = async (page, go) => {
  await page.route("**/api/plugins/inspect", () => {});
  await many(page, go);
  await send(page);
  await page.getByText("Sending the package").waitFor();
};

export const keys: Act = async (page, go) => {
  await stub(page);
  await page.route("**/api/admin/plugin-keys", json(200, { success: true, data: { keys: trustedKeys } }));
  await go();
  await page.getByRole("heading", { name: "Northwind Tools" }).waitFor();
};

export const addKey: Act = async (page, go) => {
  await keys(page, go);
  await page.getByRole("button", { name: "Add key" }).click();
  await page.getByRole("button", { name: "Trust key" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
};

export const revokeKey: Act = async (page, go) => {
  await keys(page, go);
  await page.getByRole("button", { name: "Revoke Northwind Tools" }).click();
  await page.getByText("These plugins stop immediately").waitFor();
};
