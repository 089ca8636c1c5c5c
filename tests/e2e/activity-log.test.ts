import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { type ActivityStage, openActivityStage, openers, sheet, table } from "./activity-stage.ts";
import { pressAt } from "./keyboard.ts";
import { openLive } from "./live.ts";

let set: ActivityStage;

beforeAll(async () => {
  set = await openActivityStage();
}, 90_000);

afterAll(() => set.stage.close());

describe("auto-refresh", () => {
  test("is live: what others do appears at the top, and waits while somebody reads", async () => {
    const { page, context } = await set.openActivity();
    await openers(page).first().waitFor();
    await page.getByRole("switch", { name: "Auto-refresh" }).click();
    await set.addressIs(page, "?live=1");
    await page.getByText("Live", { exact: true }).waitFor();
    const range = page.getByRole("navigation", { name: "Pages" }).getByRole("paragraph");
    const total = async () => Number(/of (\d+)/.exec((await range.textContent()) ?? "")?.[1]);
    const before = await total();
    await set.act(1);
    await page.getByText(`1–25 of ${before + 1}`, { exact: true }).waitFor();
    await openers(page).nth(3).hover();
    const words = await openers(page).allTextContents();
    await set.act(2);
    const button = page.getByRole("button", { name: "2 new activities" });
    await button.waitFor();
    expect(await openers(page).allTextContents()).toEqual(words);
    await button.click();
    await page.getByText(`1–25 of ${before + 3}`, { exact: true }).waitFor();
    await button.waitFor({ state: "detached" });
    await context.close();
  });

  test("asks every 30 seconds where there is no stream, and only while it is on", async () => {
    const { page, context } = await set.stage.open("admin");
    await page.clock.install();
    await page.route("**/api/admin/activity/stream**", (route) => route.abort());
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/admin/activity?")) asked += 1;
    });
    await openLive(page, `${set.stage.url}/admin/activity`);
    await openers(page).first().waitFor();
    await page.clock.runFor(70_000);
    expect(asked).toBe(1);
    await page.getByRole("switch", { name: "Auto-refresh" }).click();
    await page.getByText("Every 30 s").waitFor();
    const answered = page.waitForResponse("**/api/admin/activity?**");
    await page.clock.runFor(31_000);
    await answered;
    expect(asked).toBe(2);
    await context.close();
  });
});

describe("saving and cleaning up", () => {
  test("saves what the filters show as CSV, or as NDJSON from the menu", async () => {
    const { page, context } = await set.openActivity("?search=contact&type=admin_action");
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export", exact: true }).click(),
    ]);
    expect(csv.suggestedFilename()).toMatch(/^plugin-activity-\d{4}-\d\d-\d\d\.csv$/);
    const records = parseCsv(readFileSync(await csv.path(), "utf8"));
    expect(records[0]?.[0]).toBe("id");
    expect(records.length).toBeGreaterThan(30);
    await pressAt(page, "Formats to export");
    await page.getByText("10,000 activities at most").waitFor();
    const [ndjson] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "NDJSON" }).click(),
    ]);
    expect(ndjson.suggestedFilename()).toMatch(/\.ndjson$/);
    const lines = readFileSync(await ndjson.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(records.length - 1);
    await context.close();
  });

  test("says what a clean-up would remove, wants it confirmed, and tells what it removed", async () => {
    const { page, context } = await set.openActivity();
    const cleanUp = page.getByRole("button", { name: "Clean up", exact: true });
    await cleanUp.click();
    const days = sheet(page).getByLabel("Older than (days)");
    expect(await days.inputValue()).toBe("90");
    await sheet(page).getByText("There are no activities from before").waitFor();
    await days.fill("3651");
    await sheet(page).getByRole("button", { name: "Clean up" }).click();
    await sheet(page).getByText(activityTexts.daysOutOfBounds).waitFor();
    await sheet(page).getByText("Please type “clean up” to confirm").waitFor();
    await page.route("**/api/admin/activity/cleanup?**", (route) => route.fulfill({ status: 500 }));
    await days.fill("30");
    await sheet(page).getByLabel("Type “clean up” to confirm").fill("Clean up");
    await page.keyboard.press("Enter");
    await sheet(page).getByText(activityTexts.cleanupFailed).waitFor();
    await page.unroute("**/api/admin/activity/cleanup?**");
    await page.keyboard.press("Enter");
    await page.getByText(activityTexts.cleanedUp(0)).waitFor();
    await sheet(page).waitFor({ state: "detached" });
    await table(page).getByText("0 activities from before").waitFor();
    await context.close();
  });

  test("sets for how long activities are kept", async () => {
    const { page, context } = await set.openActivity();
    const open = page.getByRole("button", { name: "Clean up", exact: true });
    const keep = sheet(page).getByLabel("Keep activities for (days)");
    const save = sheet(page).getByRole("button", { name: "Save" });
    for (const [before, typed, told] of [
      ["", "365", 365],
      ["365", "", null],
    ] as const) {
      await open.click();
      await keep.waitFor();
      expect(await keep.inputValue()).toBe(before);
      await keep.fill(typed);
      await save.click();
      await page.getByText(activityTexts.kept(told)).first().waitFor();
      await sheet(page).getByRole("button", { name: "Close" }).click();
    }
    await context.close();
  });
});
