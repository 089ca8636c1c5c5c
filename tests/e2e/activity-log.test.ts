import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { until } from "#api/testing/until.ts";
import { activityTexts } from "#contract/activity.ts";
import { giveSession } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { activityStageForFile, openers, sheet, table } from "./activity-stage.ts";
import { pressAt } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";

const set = await activityStageForFile();

describe("auto-refresh", () => {
  test("is live: what others do appears at the top, and waits while the user is reading", async () => {
    const { page } = await set.openActivity();
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
  });

  test("asks every 30 seconds where there is no stream, and only while it is on", async () => {
    const { page } = await set.stage.open("admin");
    await page.clock.install();
    await page.route("**/api/admin/activity/stream**", (route) => route.abort());
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/admin/activity?")) asked += 1;
    });
    await openLive(page, `${set.stage.url}/admin/activity`);
    await openers(page).first().waitFor();
    // From here on the page's time passes as it is told to, however long the machine takes: a request under way would time out.
    await page.waitForLoadState("networkidle");
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 70_000);
    expect(asked).toBe(1);
    // That there is no stream is a reason to ask at once.
    let isAnswered = false;
    const askedAtOnce = Promise.all(
      ["?**", "/stats", "/days?**"].map((part) => page.waitForResponse(`**/api/admin/activity${part}`)),
    ).then(() => {
      isAnswered = true;
    });
    await page.getByRole("switch", { name: "Auto-refresh" }).click();
    await page.getByText("Every 30 s").waitFor();
    await until(async () => {
      // A little, since a busy machine takes many of these until the answer is there.
      await page.clock.runFor(1);
      return isAnswered;
    });
    await askedAtOnce;
    expect(asked).toBe(2);
    const answered = page.waitForResponse("**/api/admin/activity?**");
    await page.clock.runFor(31_000);
    await answered;
    expect(asked).toBe(3);
  });

  test("shows the figures of the rows that came, in the tiles and in the chart", async () => {
    const { page } = await set.openActivity("?live=1");
    await page.getByText("Live", { exact: true }).waitFor();
    const tile = page.getByRole("listitem").filter({ hasText: /^Activities/ });
    const count = async (text: string | null) => Number(/\d+/.exec(text ?? "")?.[0]);
    const today = page
      .getByRole("group", { name: "Activities of the last 30 days" })
      .getByRole("button")
      .last();
    await tile.getByText(/^\d+$/).waitFor();
    const before = await count(await tile.textContent());
    const label = (await today.getAttribute("aria-label")) ?? "";
    await set.act(2);
    // What was recorded before, such as the sign-in, may come to the log only now.
    await until(async () => (await count(await tile.textContent())) >= before + 2);
    await until(async () => {
      const pager = await page.getByText(/^1–25 of \d+$/).textContent();
      return pager === `1–25 of ${await count(await tile.textContent())}`;
    });
    await page.waitForFunction(
      (was) => document.querySelector("[role=group] button:last-child")?.getAttribute("aria-label") !== was,
      label,
    );
  });

  test("leaves the page as soon as the session is ended elsewhere, without sending a request that would be refused", async () => {
    const { page, context } = await set.stage.open("visitor");
    const ada = createPerson(set.stage.url);
    await ada.call("POST", "/api/auth/login", {
      email: "ada@example.test",
      password: "a rather fine long password",
    });
    await giveSession(context, set.stage.url, ada.cookie ?? "");
    await openLive(page, `${set.stage.url}/admin/activity?live=1`);
    await page.getByText("Live", { exact: true }).waitFor();
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() === 401) refused.push(new URL(answer.url()).pathname);
    });
    await ada.call("POST", "/api/auth/logout");
    await page.waitForURL(/\/login/, { timeout: 12_000 });
    expect(refused.filter((path) => /\/(stats|days)$/.test(path))).toEqual([]);
  });

  test("moves the focus to the table when new rows are asked for", async () => {
    const { page } = await set.openActivity("?live=1");
    await page.getByText("Live", { exact: true }).waitFor();
    await openers(page).nth(1).hover();
    await set.act(1);
    await page.getByRole("button", { name: "1 new activity" }).click();
    await comesTo(
      () => page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Activities",
    );
  });
});

describe("saving and cleaning up", () => {
  test("saves what the filters show as CSV, or as NDJSON from the menu", async () => {
    const { page } = await set.openActivity("?search=contact&type=admin_action");
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export", exact: true }).click(),
    ]);
    expect(csv.suggestedFilename()).toMatch(/^plugin-activity-\d{4}-\d\d-\d\d\.csv$/);
    const records = parseCsv(readFileSync(await csv.path(), "utf8"));
    expect(records[0]?.[0]).toBe("id");
    expect(records.length).toBeGreaterThan(30);
    await pressAt(page, "Formats to export");
    await page.getByText("newest first, up to 10,000").waitFor();
    const [ndjson] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "NDJSON" }).click(),
    ]);
    expect(ndjson.suggestedFilename()).toMatch(/\.ndjson$/);
    const lines = readFileSync(await ndjson.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(records.length - 1);
  });

  test("says what a clean-up would remove, wants it confirmed, and tells what it removed", async () => {
    const { page } = await set.openActivity();
    const cleanUp = page.getByRole("button", { name: "Clean up", exact: true });
    await cleanUp.click();
    const days = sheet(page).getByLabel("Older than (days)");
    expect(await days.inputValue()).toBe("90");
    await sheet(page).getByText("There are no activities from before").waitFor();
    await days.fill("3651");
    await sheet(page).getByRole("button", { name: "Clean up" }).click();
    await sheet(page).getByText(activityTexts.daysOutOfBounds).waitFor();
    await sheet(page).getByText("This doesn't match “clean up”").waitFor();
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
  });

  test("sets for how long activities are kept, and asks before that removes any", async () => {
    const { page } = await set.openActivity();
    const open = page.getByRole("button", { name: "Clean up", exact: true });
    const keep = sheet(page).getByLabel("Keep activities for (days)");
    const save = sheet(page).getByRole("button", { name: "Save" });
    const form = sheet(page)
      .locator("form")
      .filter({ has: page.getByRole("button", { name: "Save" }) });
    const word = form.getByLabel("Type “clean up” to confirm");
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") sent += 1;
    });
    for (const [before, typed, told, isAsked] of [
      ["", "365", 365, true],
      ["365", "366", 366, false],
      ["366", "30", 30, true],
      ["30", "", null, false],
    ] as const) {
      await open.click();
      await keep.waitFor();
      expect(await keep.inputValue()).toBe(before);
      await keep.fill(typed);
      expect(await word.isVisible()).toBe(isAsked);
      if (isAsked) {
        const already = sent;
        await form.getByText(/There are no activities from before \w+ \d+, \d{4}/).waitFor();
        await save.click();
        await form.getByText("This doesn't match “clean up”").waitFor();
        expect(sent).toBe(already);
        await word.fill("clean up");
      }
      await save.click();
      await page.getByText(activityTexts.kept(told)).first().waitFor();
      await word.waitFor({ state: "detached" });
      // The notice has one as well, a cross.
      await sheet(page).getByRole("button", { name: "Close" }).filter({ hasText: "Close" }).click();
    }
  });
});
