import { describe, expect, test } from "bun:test";
import { backupTexts } from "#contract/backup-texts.ts";
import { pressAt, typeAt } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import { button, field, notice } from "./settings-stage.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const open = async (width = 1280) => {
  const visit = await stage.open("admin", { width });
  await openLive(visit.page, `${stage.url}/admin/backups`);
  await visit.page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  return visit;
};

describe("the page of backups", () => {
  test("makes one by the keyboard alone, shows it, hands it out, tells how to restore it, and deletes it", async () => {
    const { page, context } = await open();
    await page.getByText("No backups yet").waitFor();
    await pressAt(page, "Back up now");
    const table = page.getByRole("table", { name: "Backups" });
    await table.getByRole("cell", { name: "Manual" }).waitFor();
    await table.getByRole("button").press("Enter");
    const sheet = page.getByRole("dialog");
    const command = await sheet.getByText(/^atrium restore .* --yes$/).textContent();
    const download = page.waitForEvent("download");
    await sheet.getByRole("link", { name: "Download" }).click();
    const name = (await download).suggestedFilename();
    expect(command).toBe(`atrium restore ${name} --yes`);
    await button(page, "Delete").click();
    await page.getByRole("dialog", { name: "Delete this backup?" }).getByText(name).waitFor();
    await button(page, "Delete backup").click();
    await notice(page, backupTexts.removed);
    await page.getByText("No backups yet").waitFor();
    await context.close();
  }, 30_000);

  test("shows errors of a schedule beside their fields, and saves it once they are fixed", async () => {
    const { page, context } = await open(320);
    await field(page, "When").selectOption("Daily");
    await typeAt(page, "Time of day (UTC)", "25:00");
    await typeAt(page, "Keep the last", "0");
    await pressAt(page, "Save schedule");
    await page.getByText(backupTexts.badTime).waitFor();
    await page.getByText(backupTexts.badKept).waitFor();
    expect(await field(page, "Time of day (UTC)").inputValue()).toBe("25:00");
    await field(page, "Time of day (UTC)").fill("04:30");
    await field(page, "Keep the last").fill("5");
    await pressAt(page, "Save schedule");
    await notice(page, backupTexts.scheduled);
    await page.reload();
    await comesTo(() => field(page, "Time of day (UTC)").inputValue(), "04:30");
    const excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(excess)).toBe(0);
    await context.close();
  }, 30_000);
});
