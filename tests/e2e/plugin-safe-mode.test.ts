import { beforeAll, expect, test } from "bun:test";
import { installPlugin, notesBackend } from "./installed-plugin.ts";
import { openLive } from "./live.ts";
import { tellStatus } from "./settings-stage.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const name = "visitor-notes";
const paths = ["/admin", "/admin/plugins", `/admin/plugins/${name}`, `/admin/plugins/${name}?tab=log`];

beforeAll(async () => {
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  await installPlugin(page, { name, manifest: { permissions: ["routes"] }, backend: notesBackend(name) });
  await context.close();
}, 90_000);

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
