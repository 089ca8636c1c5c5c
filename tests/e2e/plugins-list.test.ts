import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import { comesTo, openLive } from "./live.ts";
import { notice, openPlugins, refusal, withChange } from "./plugins-stage.ts";
import { askedPermissions, manyPlugins, plugin } from "./shots/many-plugins.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const row = (page: Page, title: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: title, exact: true }) });
const turn = (page: Page, title: string) => page.getByRole("switch", { name: `Enable ${title}` });
const turnsTo = (page: Page, title: string, isOn: boolean) =>
  comesTo(() => turn(page, title).getAttribute("aria-checked"), String(isOn));
const counter = (page: Page, name: string) =>
  textOf(page.getByRole("list", { name: "Plugins by type" }).getByRole("listitem").filter({ hasText: name }));
const textOf = async (locator: Locator) => (await locator.allInnerTexts()).join();
const toggled = (name: string, enabled: boolean, message: string) => () => ({
  json: { success: true, message, data: withChange(name, { enabled }).find((one) => one.name === name) },
});

describe("the list of plugins", () => {
  test("counts them by kind, and tells of each what it is and how it stands", async () => {
    const { page, complaints } = await openPlugins(stage);
    await row(page, "Licensing").waitFor();
    expect(
      await Promise.all(["Total", "Enabled", "Disabled", "Core"].map((name) => counter(page, name))),
    ).toEqual(["Total\n7", "Enabled\n4", "Disabled\n3", "Core\n1"]);
    const head = await page.getByRole("columnheader").allInnerTexts();
    expect(head).toEqual(["Plugin", "Status", "Type", "Dependencies", "Components", "Actions"]);
    const words = async (title: string) => (await textOf(row(page, title))).replaceAll(/\s+/g, " ");
    expect(await words("Visitor notes")).toContain("Enabled Other Licensing Backend, Frontend");
    expect(await words("Left over")).toContain("Not Installed Other None None");
    expect(await words("Nightly report")).toContain("It failed four times in a minute");
    expect(await words("Shop")).toContain("Reloading");
    expect(await words("Weather on every page")).toContain("Version 2.0.0 is waiting");
    expect(complaints).toEqual([]);
  });

  test("a counter leads to just what it counts, in the address", async () => {
    const { page } = await openPlugins(stage);
    await page.getByRole("link", { name: "Core", exact: true }).click();
    await row(page, "Firewall").waitFor({ state: "detached" });
    await comesTo(() => page.getByRole("row").count(), 2);
    await page.waitForURL("**?show=core");
    await page.goBack();
    await row(page, "Firewall").waitFor();
  });

  test("a press in a row leads to the plugin's page", async () => {
    const { page } = await openPlugins(stage);
    await row(page, "Firewall").click();
    await page.waitForURL("**/admin/plugins/firewall");
  });

  test("L1: names and words of a manifest that hold markup are shown as text", async () => {
    const markup = "<img src=x onerror=alert(1)><b>bold</b>";
    const { page, tell, complaints } = await openPlugins(stage);
    await row(page, "Licensing").waitFor();
    tell([plugin({ name: "hostile", title: markup, description: markup, error: markup, state: "failed" })]);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("link", { name: markup }).waitFor();
    expect(await page.locator("main img, main b").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("failed to load, it says why and tries again", async () => {
    let isDown = true;
    const { page } = await openPlugins(stage, {
      "GET ": () =>
        isDown
          ? refusal(500, "INTERNAL", "Something went wrong")
          : { json: { success: true, data: manyPlugins } },
    });
    await page.getByText("Failed to load admin data: 500 Internal Server Error").waitFor();
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await row(page, "Licensing").waitFor();
  });
});

describe("a plugin's switch", () => {
  test("turns immediately, and stays when the server agrees", async () => {
    const answer = Promise.withResolvers<void>();
    const { page, calls, tell } = await openPlugins(stage, {
      "POST /visitor-notes/toggle": async () => {
        await answer.promise;
        return toggled("visitor-notes", false, "Visitor notes disabled")();
      },
    });
    await row(page, "Visitor notes").waitFor();
    tell(withChange("visitor-notes", { enabled: false, state: "disabled" }));
    await turn(page, "Visitor notes").click();
    await turnsTo(page, "Visitor notes", false);
    answer.resolve();
    await notice(page, "Visitor notes disabled");
    await row(page, "Visitor notes").getByText("Disabled").filter({ visible: true }).waitFor();
    await comesTo(() => counter(page, "Disabled"), "Disabled\n4");
    expect(calls).toEqual(["POST /visitor-notes/toggle"]);
  });

  test.each([
    [
      "with the server's words",
      refusal(409, "DEPENDENCY_DISABLED", "Firewall needs Licensing, which is not enabled. Enable it first."),
      "Firewall needs Licensing, which is not enabled. Enable it first.",
    ],
    ["with words of its own for an answer without any", { status: 500, json: {} }, "Error toggling plugin"],
  ])("goes back when the server refuses, %s", async (_, answer, words) => {
    const { page } = await openPlugins(stage, { "POST /firewall/toggle": () => answer });
    await row(page, "Firewall").waitFor();
    await turn(page, "Firewall").click();
    await notice(page, words);
    await turnsTo(page, "Firewall", false);
  });

  test("of licensing cannot be switched off, nor that of a plugin of which nothing is there on", async () => {
    const { page, calls } = await openPlugins(stage);
    await row(page, "Licensing").waitFor();
    for (const title of ["Licensing", "Left over"]) {
      expect(await turn(page, title).isDisabled()).toBe(true);
      await turn(page, title).focus();
      await page.keyboard.press("Space");
    }
    await turnsTo(page, "Licensing", true);
    await turnsTo(page, "Left over", false);
    expect(calls).toEqual([]);
  });

  test("asks for consent where the server does, and enables only what was allowed", async () => {
    const sha256 = "ab".repeat(32);
    const bodies: (string | null)[] = [];
    const { page, tell } = await openPlugins(stage, {
      "POST /nightly-report/toggle": (request) => {
        bodies.push(request.postData());
        const data = { sha256, permissions: askedPermissions, signature: manyPlugins[3]?.signature };
        return bodies.length < 3
          ? refusal(409, "CONSENT_REQUIRED", "Nightly report needs your consent first", { data })
          : toggled("nightly-report", true, "Nightly report enabled")();
      },
    });
    await row(page, "Nightly report").waitFor();
    const sheet = page.getByRole("dialog", { name: "Enable Nightly report?" });
    await turn(page, "Nightly report").click();
    await sheet.getByText("api.example.com", { exact: true }).waitFor();
    expect(await sheet.getByText("Its author says: “looks up the weather”").count()).toBe(1);
    expect(await sheet.getByText("Not signed:").count()).toBe(1);
    await sheet.getByRole("button", { name: "Not now" }).click();
    await turnsTo(page, "Nightly report", false);
    await page.getByRole("button", { name: "Try again: Nightly report" }).click();
    await sheet.waitFor();
    tell(withChange("nightly-report", { enabled: true, state: "running", error: null }));
    await sheet.getByRole("button", { name: "Allow and enable" }).click();
    await notice(page, "Nightly report enabled");
    await turnsTo(page, "Nightly report", true);
    expect(bodies).toEqual([
      ...['{"enabled":true}', '{"enabled":true}'],
      `{"enabled":true,"consent":true,"sha256":"${sha256}"}`,
    ]);
  });
});

describe("a plugin's package", () => {
  test("is saved under the plugin's name", async () => {
    const { page } = await openPlugins(stage, {
      "GET /firewall/download": () => ({ body: Buffer.from("the very bytes") }),
    });
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download Firewall" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("firewall-plugin.zip");
    expect(await Bun.file(await download.path()).text()).toBe("the very bytes");
    await notice(page, "Plugin firewall downloaded successfully");
  });

  test("that cannot be had is told of", async () => {
    const { page } = await openPlugins(stage, {
      "GET /firewall/download": () => ({ status: 500, json: {} }),
    });
    await page.getByRole("button", { name: "Download Firewall" }).click();
    await notice(page, "Error downloading plugin");
  });
});

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** An unsigned package of a plugin that does nothing. */
const packageOf = (version: string, permissions: unknown[]) => {
  const names = { name: "visitor-notes", version };
  const manifest = {
    ...names,
    ...{
      manifestVersion: 1,
      title: "Visitor notes",
      description: "Keeps notes.",
      type: "Other",
      permissions,
    },
    backend: { entry: "backend/index.js", runtime: "sandbox" },
  };
  const backend = `export default { ...${JSON.stringify(names)}, async setup() {} };`;
  const files = new Map([
    ["plugin.json", bytesOf(JSON.stringify(manifest))],
    ["backend/index.js", bytesOf(backend)],
  ]);
  return { name: "notes.zip", mimeType: "application/zip", buffer: Buffer.from(packFolder(files)) };
};

const first = packageOf("1.0.0", ["routes", "storage.kv"]);
const second = packageOf("1.1.0", [
  "routes",
  "storage.kv",
  { name: "net.fetch", hosts: ["api.example.com"] },
]);

test("a plugin is uploaded, enabled with consent, updated with more consent, downloaded, disabled and deleted", async () => {
  const { page, context, complaints } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  const dialog = page.getByRole("dialog");
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  const upload = async (file: typeof first) => {
    await page.getByRole("button", { name: "Upload Plugin" }).first().click();
    await page.getByLabel("Plugin package").setInputFiles(file);
    await press("Upload");
  };
  const toggle = page.getByRole("switch", { name: "Enable Visitor notes" });

  await upload(first);
  await dialog.getByText("Not signed:").waitFor();
  await press("Install");
  await dialog.getByText("Visitor notes 1.0.0 installed").waitFor();
  await press("Enable now");
  await dialog.getByText("Store data").waitFor();
  await press("Allow and enable");
  await notice(page, "Visitor notes enabled");
  await comesTo(() => toggle.getAttribute("aria-checked"), "true");

  await upload(second);
  await dialog.getByText("1.0.0 → 1.1.0").waitFor();
  await press("Update to 1.1.0");
  await press("View permissions");
  await dialog.getByText("api.example.com").waitFor();
  await press("Allow and update");
  await notice(page, "Visitor notes updated to 1.1.0");
  await page.getByText("v1.1.0").waitFor();

  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Visitor notes" }).click();
  const saved = await Bun.file(await (await coming).path()).bytes();
  expect(Buffer.from(saved).equals(second.buffer)).toBe(true);

  await toggle.click();
  await notice(page, "Visitor notes disabled");
  await comesTo(() => toggle.getAttribute("aria-checked"), "false");
  await page.getByRole("button", { name: "Delete Visitor notes" }).click();
  await dialog.getByText("It has no stored data.").waitFor();
  await press("Delete");
  await notice(page, "Visitor notes deleted");
  await page.getByRole("link", { name: "Visitor notes" }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
}, 60_000);
