import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { installPlugin, notesBackend, trustedKey } from "./installed-plugin.ts";
import { comesTo, openLive } from "./live.ts";
import { tellStatus } from "./settings-stage.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const name = "visitor-notes";
const manifest = {
  permissions: ["routes", { name: "storage.kv", reason: "keeps the notes" }],
  adminPanel: {
    enabled: true,
    menuItem: { title: "Notes" },
    card: {
      title: "Notes at a glance",
      description: "How many there are",
      color: "success",
      buttonText: "Look",
    },
  },
  settings: {
    schema: {
      type: "object",
      required: ["greeting"],
      properties: {
        greeting: { type: "string", title: "Greeting", minLength: 3, default: "Hello", "x-order": 1 },
        most: { type: "integer", title: "At most", minimum: 1, default: 10 },
        isLoud: { type: "boolean", title: "Loud" },
        mode: { type: "string", title: "Mode", enum: ["fast", "safe"] },
        hosts: { type: "array", title: "Hosts", items: { type: "string", minLength: 3 } },
        key: { type: "string", title: "Key", "x-secret": true },
        mail: {
          type: "object",
          title: "Mail",
          properties: { to: { type: "string", title: "To", format: "email" } },
        },
      },
    },
  },
};
/** Signed: a new version that nobody signed would wait for consent. */
const install = async (page: Page, version: string, privateKey: string) =>
  installPlugin(page, { name, version, manifest, backend: notesBackend(name, version), privateKey });

beforeAll(async () => {
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  const privateKey = await trustedKey(page);
  await install(page, "1.0.0", privateKey);
  await install(page, "1.1.0", privateKey);
  await context.close();
}, 90_000);

const openTab = async (tab = "", view = {}) => {
  const visit = await stage.open("admin", view);
  await openLive(visit.page, `${stage.url}/admin/plugins/${name}${tab && `?tab=${tab}`}`);
  await visit.page.getByRole("heading", { name: "Visitor notes", level: 1 }).waitFor();
  return visit;
};

describe("the page of a plugin", () => {
  test("tells what it is and how it does, and each part has an address", async () => {
    const { page, complaints } = await openTab();
    await comesTo(() => page.title(), "Visitor notes · Atrium admin");
    await page.getByText("In a sandbox").waitFor();
    await page.getByRole("cell", { name: `/api/${name}/whoami` }).waitFor();
    await page.getByRole("region", { name: "Servers" }).first().getByText("Running").waitFor();
    const tabs = page.getByRole("navigation", { name: "Plugin sections" });
    expect(await tabs.getByRole("link").allInnerTexts()).toEqual([
      ...["Overview", "Settings", "Permissions", "Versions", "Log", "Data"],
    ]);
    await tabs.getByRole("link", { name: "Log" }).click();
    await page.waitForURL("**?tab=log");
    await page.getByRole("log").getByText("notes are ready").first().waitFor();
    await page.goBack();
    await page.getByText("In a sandbox").waitFor();
    expect(complaints).toEqual([]);
  });

  test("shows beside what was allowed how often it was used", async () => {
    const { page } = await openTab("permissions");
    await page.getByText("Its author says: “keeps the notes”").waitFor();
    await page.getByText("Never used").first().waitFor();
  });

  test("switches it off and on, and its line leaves the menu with it", async () => {
    const { page } = await openTab();
    const line = page
      .getByRole("navigation", { name: "Admin", exact: true })
      .getByRole("link", { name: "Notes" });
    await line.waitFor();
    await page.getByRole("switch", { name: "Enable Visitor notes" }).click();
    await line.waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Enable Visitor notes" }).click();
    await line.waitFor();
  });

  test("leads back to an older version after one question", async () => {
    const { page } = await openTab("versions");
    await page.getByRole("button", { name: "Roll back to version 1.0.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await page.getByText("Visitor notes was rolled back to 1.0.0").waitFor();
    await page.getByRole("row", { name: /1\.0\.0.*In use/ }).waitFor();
    await page.getByRole("button", { name: "Roll forward to version 1.1.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll forward" }).click();
    await page.getByRole("row", { name: /1\.1\.0.*In use/ }).waitFor();
  });

  test("is a warning with the ways on where there is no such plugin, or it is off", async () => {
    const { page, complaints } = await stage.open("admin");
    for (const [path, missing, title] of [
      ["/admin/plugins/no-such", "no-such", "No such"],
      ["/admin/firewall", "firewall", "Firewall"],
      ["/admin/web-performance-optimization", "web-performance-optimization", "Web performance optimization"],
      ["/admin/plugin-template", "plugin-template", "Plugin template"],
    ] as const) {
      await openLive(page, stage.url + path);
      await page.getByRole("alert").getByText(`The plugin ${missing} is not available`).waitFor();
      await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
      await comesTo(() => page.title(), `${title} · Atrium admin`);
      expect(await page.getByRole("alert").getByRole("link").allInnerTexts()).toEqual([
        "Plugin Management",
        "Admin dashboard",
      ]);
    }
    expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
  });
});

test("the part that is open is in sight among the tabs of a narrow window, below the way back", async () => {
  const { page } = await openTab("data", { width: 320 });
  const tabs = page.getByRole("navigation", { name: "Plugin sections" });
  const box = await tabs.getByRole("link", { name: "Data" }).boundingBox();
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  await page.getByRole("main").getByRole("link", { name: "Plugin Management" }).click();
  await page.waitForURL("**/admin/plugins");
});

test("a plugin that could not be enabled says why on its page, and leads to its log", async () => {
  const { page } = await stage.open("admin", { width: 390 });
  await openLive(page, `${stage.url}/admin/plugins`);
  const broken = "broken-notes";
  const backend = `export default { name: "${broken}", version: "1.0.0", setup() { throw new Error("no ink"); } };`;
  const failed = await installPlugin(page, { name: broken, manifest, backend }).catch(String);
  expect(failed).toContain("PLUGIN_START_FAILED");
  await openLive(page, `${stage.url}/admin/plugins/${broken}`);
  const alert = page.getByRole("alert").filter({ hasText: "It could not be enabled" });
  await alert.getByText("no ink").waitFor();
  await alert.getByRole("link", { name: "View log" }).click();
  await page.waitForURL("**?tab=log");
});

describe("the settings of a plugin", () => {
  test("are checked like on the server, saved, and a secret is never shown again", async () => {
    const { page } = await openTab("settings");
    await page.getByLabel("Greeting").fill("Hi");
    await page.getByLabel("At most").fill("many");
    await page.getByLabel("Hosts").fill("example.com\nx");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Please give at least 3 characters", { exact: true }).waitFor();
    await page.getByText("Line 2: Please give at least 3 characters").waitFor();
    await page.getByLabel("Greeting").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Greeting").fill("");
    await page.getByText("Leave empty for the default: Hello").waitFor();
    await page.getByLabel("Greeting").fill("Welcome");
    await page.getByLabel("At most").fill("12");
    await page.getByLabel("Hosts").fill("example.com\nexample.org");
    await page.getByRole("switch", { name: "Loud" }).click();
    await page.getByLabel("Mode").selectOption("fast");
    await page.getByRole("textbox", { name: "To" }).fill("a@b.example");
    await page.getByLabel("Key", { exact: true }).fill("very secret");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings of Visitor notes saved").waitFor();
    await page
      .getByLabel("Key", { exact: true })
      .and(page.getByPlaceholder(/^Leave empty to keep/))
      .waitFor();
    await comesTo(() => page.getByLabel("Key", { exact: true }).inputValue(), "");
    await page.reload();
    await page.getByLabel("Greeting").waitFor();
    expect(await page.getByLabel("Hosts").inputValue()).toBe("example.com\nexample.org");
    expect(await page.getByRole("textbox", { name: "To" }).inputValue()).toBe("a@b.example");
    await page.getByRole("button", { name: "Remove Key" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings of Visitor notes saved").waitFor();
    await page.getByRole("button", { name: "Remove Key" }).waitFor({ state: "detached" });
  });

  test("that are not saved stay while other parts are looked at, and are asked about before they are left", async () => {
    const { page } = await openTab("settings");
    await page.getByLabel("Greeting").fill("Not saved");
    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByText("Entries").waitFor();
    await page.getByRole("link", { name: "Settings" }).last().click();
    expect(await page.getByLabel("Greeting").inputValue()).toBe("Not saved");
    await page.getByRole("link", { name: "Users" }).first().click();
    await page.getByRole("dialog").getByText("Leave without saving?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("Greeting").inputValue()).toBe("Not saved");
  });
});

describe("the overview", () => {
  test("has the plugin's line and card, and says that plugins are installed", async () => {
    const { page, complaints } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin`);
    const menu = page.getByRole("region", { name: "Admin Menu" });
    await menu.getByRole("link", { name: "Plugin Management" }).waitFor();
    const card = page.getByRole("region", { name: "Notes at a glance" });
    await card.getByText("How many there are").waitFor();
    await page.getByText("Installed", { exact: true }).waitFor();
    await page.getByText("Plugin System Not Installed").waitFor({ state: "detached" });
    await card.getByRole("link", { name: "Look: Notes at a glance" }).click();
    await page.waitForURL(`**/admin/plugins/${name}`);
    expect(complaints).toEqual([]);
  });
});

const paths = ["/admin", "/admin/plugins", `/admin/plugins/${name}`, `/admin/plugins/${name}?tab=log`];

test("a server in safe mode says so on the overview, the list of plugins and the page of each", async () => {
  const { page, complaints } = await stage.open("admin");
  await tellStatus(page, { isSafeMode: true });
  for (const path of paths) {
    await openLive(page, stage.url + path);
    const banner = page.getByRole("alert").filter({ hasText: "Started in safe mode" });
    await banner.getByText("All plugins are off until the server restarts without safe mode.").waitFor();
  }
  expect(complaints).toEqual([]);
});

test("a server that runs its plugins says nothing of safe mode", async () => {
  const { page } = await stage.open("admin");
  for (const path of paths) {
    const status = page.waitForResponse("**/api/system/status");
    await openLive(page, stage.url + path);
    await status;
    expect(await page.getByText("Started in safe mode").count()).toBe(0);
  }
});
