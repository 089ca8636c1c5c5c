import { expect, test } from "bun:test";
import { tabTo } from "./keyboard.ts";
import { openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

test("the documentation and the API's description are in the drawer, and at the sidebar's foot by keyboard", async () => {
  for (const width of [320, 800, 1280]) {
    const { page, context } = await stage.open("admin", { width });
    await openLive(page, `${stage.url}/admin/users`);
    if (width === 320) await page.getByRole("button", { name: "Open menu" }).click();
    const menu = page.getByRole("navigation", { name: "Reference" }).filter({ visible: true });
    const links = menu.getByRole("link");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/docs",
      "/swagger",
    ]);
    expect(await links.allTextContents()).toEqual(["Docs", "API"]);
    const { height = 0 } = (await links.first().boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(width === 320 ? 44 : 36);
    await tabTo(page, "API");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/swagger");
    await context.close();
  }
});
