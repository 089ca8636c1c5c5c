import { expect, test } from "bun:test";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import { comesTo, openLive } from "./live.ts";
import { notice } from "./plugins-stage.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

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
