import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { activityTexts } from "#contract/activity.ts";
import { createPerson } from "../driver/person.ts";
import { activityStageForFile, openers, sheet, table } from "./activity-stage.ts";
import { tabTo } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import { json } from "./shots/answers.ts";

const set = await activityStageForFile();

const range = (page: Page) => page.getByRole("navigation", { name: "Pages" }).getByRole("paragraph");
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** The number of the activity in a row, as its details' address has it. */
const openRow = async (page: Page, row: number): Promise<number> => {
  await openers(page).nth(row).click();
  await sheet(page).waitFor();
  const id = Number(parameter(page, "activity"));
  await page.keyboard.press("Escape");
  await sheet(page).waitFor({ state: "detached" });
  return id;
};

describe("the page of activities", () => {
  test("has a place in the menu and shows the newest first, 25 of them", async () => {
    const { page, complaints } = await set.stage.open("admin");
    await openLive(page, `${set.stage.url}/admin`);
    await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Activity" }).click();
    await openers(page).nth(24).waitFor();
    expect(await openers(page).count()).toBe(25);
    const words = (await table(page).getByRole("row").nth(1).allInnerTexts()).join();
    for (const part of ["core", "Admin action", "contact message", "Success", "ada@example.test"])
      expect(words).toContain(part);
    expect((await openRow(page, 0)) > (await openRow(page, 24))).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("counts the whole log above it; a press on a number shows what it counts, another everything", async () => {
    await createPerson(set.stage.url).call("POST", "/api/auth/login", {
      email: "no@one.test",
      password: "wrong",
    });
    const { page } = await set.openActivity();
    const failures = page.getByRole("button", { name: "Failures" });
    await page
      .getByRole("listitem")
      .filter({ hasText: /^Failures[1-9]/ })
      .waitFor();
    await failures.click();
    await set.addressIs(page, "?status=failure");
    await comesTo(() => page.getByLabel("Status").inputValue(), "failure");
    await comesTo(() => failures.getAttribute("aria-pressed"), "true");
    await table(page).getByText("Failure", { exact: true }).first().waitFor();
    await failures.click();
    await set.addressIs(page, "");
    await page.getByRole("button", { name: "Last 24 hours" }).click();
    await page.getByText(/^From /).waitFor();
    expect(Date.parse(parameter(page, "startDate") ?? "")).toBeLessThan(Date.now() - 86_000_000);
    await page.getByRole("button", { name: "Reset" }).click();
    await set.addressIs(page, "");
  });

  test("keeps each filter in the address, through a reload and on the way back", async () => {
    const { page } = await set.openActivity("?page=2");
    await page.getByLabel("Search", { exact: true }).fill("contact");
    await set.addressIs(page, "?search=contact");
    await page.getByLabel("Type", { exact: true }).selectOption("admin_action");
    await set.addressIs(page, "?search=contact&type=admin_action");
    await page.getByLabel("Plugin", { exact: true }).selectOption("core");
    await set.addressIs(page, "?search=contact&type=admin_action&pluginName=core");
    await page.getByLabel("Severity", { exact: true }).selectOption("Critical");
    await page.getByText(activityTexts.none).waitFor();
    await page.getByText("4 active").waitFor();
    await page.reload();
    await page.getByText(activityTexts.none).waitFor();
    await comesTo(() => page.getByLabel("Severity", { exact: true }).inputValue(), "critical");
    await page.goBack();
    await set.addressIs(page, "?search=contact&type=admin_action&pluginName=core");
    await openers(page).first().waitFor();
    await comesTo(() => page.getByLabel("Severity", { exact: true }).inputValue(), "");
  });

  test("shows the current search in the search field, also after Back while the field has focus", async () => {
    const { page } = await set.openActivity();
    const field = page.getByLabel("Search", { exact: true });
    await field.fill("zzz");
    await set.addressIs(page, "?search=zzz");
    await field.fill("m0");
    await set.addressIs(page, "?search=m0");
    for (const earlier of ["zzz", ""]) {
      await page.goBack();
      await set.addressIs(page, earlier === "" ? "" : `?search=${earlier}`);
      await comesTo(() => field.inputValue(), earlier);
    }
    await page.goForward();
    await set.addressIs(page, "?search=zzz");
    await comesTo(() => field.inputValue(), "zzz");
  });

  test("offers a plugin that is no more as long as it is asked for, and says so when nothing is found", async () => {
    const { page } = await set.openActivity("?pluginName=gone-since&status=failure,warning");
    await page.getByText(activityTexts.none).waitFor();
    const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator("option:checked");
    expect(await chosen("Plugin").textContent()).toBe("gone-since");
    expect(await chosen("Status").textContent()).toBe("Failure, Warning");
    await page.getByRole("button", { name: "Show all activities" }).click();
    await openers(page).first().waitFor();
    await set.addressIs(page, "");
  });

  test("shows the day that is pressed in the chart alone", async () => {
    const { page } = await set.openActivity();
    const today = new Date().toISOString().slice(0, 10);
    await page
      .getByRole("group", { name: "Activities of the last 30 days" })
      .getByRole("button")
      .last()
      .click();
    await set.addressIs(page, `?startDate=${today}&endDate=${today}`);
    await comesTo(() => page.getByLabel("End date", { exact: true }).inputValue(), today);
  });

  test("draws the chart of what the choices among the filters let through", async () => {
    const { page } = await set.stage.open("admin");
    const asked = page.waitForRequest("**/api/admin/activity/days?**");
    await openLive(page, `${set.stage.url}/admin/activity?security=true&severity=high&search=ada`);
    const { searchParams } = new URL((await asked).url());
    expect(Object.fromEntries(searchParams)).toEqual({ severity: "high", security: "true", days: "30" });
  });

  test("has 10, 25, 50 or 100 rows a page", async () => {
    const { page } = await set.openActivity("?limit=30");
    const size = page.getByLabel("Rows per page");
    await size.waitFor();
    expect(await size.locator("option").allTextContents()).toEqual(["10", "25", "50", "100"]);
    expect(await size.inputValue()).toBe("25");
    await size.selectOption("10");
    await set.addressIs(page, "?limit=10");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr button").length === 10);
    await range(page)
      .filter({ hasText: /^1–10 of/ })
      .waitFor();
    await size.selectOption("25");
    await set.addressIs(page, "");
  });

  test("moves no row of a later page while others arrive", async () => {
    const { page } = await set.openActivity("?limit=10");
    const last = await openRow(page, 9);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/^11–20 of/).waitFor();
    const first = await openRow(page, 0);
    expect(first).toBe(last - 1);
    const total = /of (\d+)/.exec((await range(page).textContent()) ?? "")?.[1];
    await set.act(3);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(`21–30 of ${total}`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText(`11–20 of ${total}`, { exact: true }).waitFor();
    await page.reload();
    expect(await openRow(page, 0)).toBe(first);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/^21–30 of/).waitFor();
    expect(await openRow(page, 0)).toBe(first - 10);
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText(/^1–10 of/).waitFor();
    expect(parameter(page, "before")).toBeNull();
    expect(await openRow(page, 0)).toBe(last + 12);
  });
});

describe("what is not all there is", () => {
  test("is said of a search of two letters where the log has more, and of a total that was not counted to its end", async () => {
    const { page } = await set.openActivity("?search=co");
    const note = page.getByText("only covers the newest 10,000 activities");
    await openers(page).first().waitFor();
    expect(await note.isVisible()).toBe(false);
    await page.route("**/api/admin/activity/stats", async (route) => {
      const { data } = await (await route.fetch()).json();
      await route.fulfill({ json: { success: true, data: { ...data, total: 10_001 } } });
    });
    await page.reload();
    await note.waitFor();
    await page.route("**/api/admin/activity?**", async (route) => {
      const { data } = await (await route.fetch()).json();
      const pagination = { ...data.pagination, total: 1_000, totalIsEstimate: true };
      await route.fulfill({ json: { success: true, data: { ...data, pagination } } });
    });
    await openLive(page, `${set.stage.url}/admin/activity?search=contact&limit=10`);
    await page.getByText("1–10 of 1,000+", { exact: true }).waitFor();
    const next = page.getByRole("button", { name: "Next" });
    await next.click();
    await page.getByText("11–20 of 1,000+", { exact: true }).waitFor();
    await openLive(page, `${set.stage.url}/admin/activity?search=contact&limit=100`);
    await page.getByText(/of 1,000\+$/).waitFor();
    expect(await next.getAttribute("aria-disabled")).toBe("true");
  });

  test("is seen from the overview: the last seven days, each of which leads to its activities", async () => {
    const { page } = await set.stage.open("admin");
    await openLive(page, `${set.stage.url}/admin`);
    const days = page.getByRole("group", { name: "Activities of the last 7 days" }).getByRole("button");
    await days.nth(6).waitFor();
    expect(await days.count()).toBe(7);
    await page.getByRole("link", { name: "View activity" }).waitFor();
    await days.nth(6).click();
    const today = new Date().toISOString().slice(0, 10);
    await set.addressIs(page, `?startDate=${today}&endDate=${today}`);
    await openers(page).first().waitFor();
  });
});

describe("the details of an activity", () => {
  test("open by keyboard with every field and what was changed, and close to where one was", async () => {
    const { page } = await set.openActivity("?search=contact&type=admin_action");
    const name = (await openers(page).first().textContent()) ?? "";
    await tabTo(page, name);
    await page.keyboard.press("Enter");
    await sheet(page).getByText("ada@example.test").waitFor();
    const words = (await sheet(page).allInnerTexts()).join();
    for (const part of ["Admin action", "Request ID", "127.0.0.1", "User agent", "Number", "handled"])
      expect(words).toContain(part);
    const cells = sheet(page).getByRole("table").getByRole("cell");
    expect((await cells.allTextContents()).sort()).toEqual(["false", "true"]);
    await page.getByRole("button", { name: "Copy Request ID" }).waitFor();
    await page.keyboard.press("Escape");
    await sheet(page).waitFor({ state: "detached" });
    await comesTo(() => page.evaluate(() => document.activeElement?.textContent), name);
  });

  test("have an address of their own, and lead to all of the same user", async () => {
    const { page } = await set.openActivity("?search=contact&type=admin_action");
    await openers(page).first().click();
    await sheet(page).getByText("ada@example.test").waitFor();
    await page.reload();
    await sheet(page).getByText("ada@example.test").waitFor();
    await sheet(page).getByRole("link", { name: "This user" }).click();
    await set.addressIs(page, "?search=ada%40example.test");
    await openers(page).first().waitFor();
    await openLive(page, `${set.stage.url}/admin/activity?activity=999999`);
    await sheet(page).getByText(activityTexts.unknown).waitFor();
  });
});

test("what goes wrong is told in the server's words, or by its status, until another try succeeds", async () => {
  const { page } = await set.stage.open("admin");
  const failure = { success: false, code: "DB_UNAVAILABLE", message: "The database is restarting." };
  await page.route("**/api/admin/activity?**", json(503, failure));
  await openLive(page, `${set.stage.url}/admin/activity`);
  const alert = page.getByRole("alert");
  await alert.getByText("The database is restarting.").waitFor();
  await page.unroute("**/api/admin/activity?**");
  await page.route("**/api/admin/activity?**", (route) => route.fulfill({ status: 500, body: "oops" }));
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.getByText("HTTP 500: Internal Server Error").waitFor();
  await page.unroute("**/api/admin/activity?**");
  await alert.getByRole("button", { name: "Try again" }).click();
  await openers(page).first().waitFor();
  await alert.waitFor({ state: "detached" });
});

test("on a phone the filters fold away, and a row keeps what matters", async () => {
  const { page } = await set.openActivity("?status=success", { width: 320 });
  await openers(page).first().waitFor();
  const type = page.getByLabel("Type", { exact: true });
  expect(await type.isVisible()).toBe(false);
  const show = page.getByRole("button", { name: "Show", exact: true });
  expect(await show.getAttribute("aria-expanded")).toBe("false");
  await show.click();
  expect(await type.isVisible()).toBe(true);
  const words = (await table(page).getByRole("row").nth(1).allInnerTexts()).join();
  expect(words).toContain("Success");
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
});
