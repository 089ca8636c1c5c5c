import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openLive } from "./live.ts";
import { button, field, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });

/** The settings with something unsaved, come to from the overview. */
const openChanged = async () => {
  const visit = await settings.stage.open("admin");
  const { page } = visit;
  await openLive(page, `${settings.stage.url}/admin`);
  await page
    .getByRole("navigation", { name: "Admin", exact: true })
    .getByRole("link", { name: "Settings" })
    .click();
  await field(page, "Message").fill("Not saved yet");
  return visit;
};

const stillThere = async (page: Page) => {
  await question(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/admin/settings");
  expect(await field(page, "Message").inputValue()).toBe("Not saved yet");
};

describe("leaving unsaved changes", () => {
  test("by the back button is asked, stays with everything typed, or leaves", async () => {
    const { page } = await openChanged();
    await page.evaluate(() => history.back());
    await question(page).waitFor();
    await page.keyboard.press("Escape");
    await stillThere(page);
    await page.evaluate(() => history.back());
    await button(page, "Leave").click();
    await page.waitForURL("**/admin");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  test("by closing the tab is asked by the browser", async () => {
    const { page } = await openChanged();
    const asked = page.waitForEvent("dialog");
    void page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await stillThere(page);
  });

  test("is not asked when moving within the page, nor once nothing is unsaved any more", async () => {
    const { page } = await openChanged();
    await page
      .getByRole("navigation", { name: "On this page" })
      .getByRole("link", { name: "History" })
      .click();
    await page.getByRole("link", { name: /^Sent/ }).click();
    await page.waitForURL("**/admin/settings?mails=sent");
    expect(await question(page).count()).toBe(0);
    await button(page, "Discard changes").click();
    await page
      .getByRole("navigation", { name: "Admin", exact: true })
      .getByRole("link", { name: "Users" })
      .click();
    await page.waitForURL("**/admin/users");
  });
});
