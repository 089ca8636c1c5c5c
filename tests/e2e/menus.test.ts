import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { giveSession } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { tabTo } from "./keyboard.ts";
import { comesTo, openLive, settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const menu = (page: Page) => page.getByRole("menu");
const openMenu = async (page: Page) => {
  await page.getByRole("banner").getByRole("button", { name: "Account menu" }).click();
  await menu(page).waitFor();
};
const question = (page: Page) => page.getByRole("dialog", { name: "Confirm Logout" });

describe("the avatar's menu", () => {
  for (const [who, entries] of [
    ["user", ["Dashboard", "Logout"]],
    ["admin", ["Dashboard", "Admin", "Logout"]],
  ] as const) {
    test(`offers ${entries.join(", ")} to the ${who}`, async () => {
      const { page } = await stage.open(who);
      await openLive(page, `${stage.url}/about`);
      await openMenu(page);
      expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([...entries]);
    });
  }

  test("opens, moves and closes with the keyboard, and gives the focus back", async () => {
    const { page, complaints } = await stage.open("user");
    await openLive(page, `${stage.url}/about`);
    await page.getByRole("button", { name: "Account menu" }).focus();
    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    await page.locator("[role=menu]:focus, [role=menu] :focus").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.locator("[role=menuitem]:focus").filter({ hasText: "Logout" }).waitFor();
    await page.keyboard.press("Enter");
    await question(page).waitFor();
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "hidden" });
    await page.locator("button[aria-label^='Account menu']:focus").waitFor();
    await page.keyboard.press("Enter");
    await menu(page).waitFor();
    await page.keyboard.press("Escape");
    await menu(page).waitFor({ state: "hidden" });
    await page.locator("button[aria-label^='Account menu']:focus").waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("the avatar's menu, once open,", () => {
  const opened = async (width = 1280) => {
    const visit = await stage.open("admin", { width });
    await openLive(visit.page, `${stage.url}/about`);
    await openMenu(visit.page);
    return visit;
  };
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  test("goes round with the arrows, and to an item by its first letter", async () => {
    const { page } = await opened();
    await comesTo(() => focused(page), "Dashboard");
    const [first, admin, last] = ["Dashboard", "Admin", "Logout"] as const;
    for (const [key, reached] of [
      ["ArrowUp", last],
      ["ArrowDown", first],
      ["a", admin],
      ["l", last],
      ["Home", first],
      ["End", last],
      ["d", first],
    ] as const) {
      await page.keyboard.press(key);
      await comesTo(() => focused(page), reached);
    }
    await page.keyboard.press("a");
    await page.keyboard.press("Space");
    await page.waitForURL("**/admin");
  });

  test("lights what is pointed at, and goes when the reader goes elsewhere", async () => {
    const { page } = await opened();
    await page.getByRole("menuitem", { name: "Admin" }).hover();
    await comesTo(() => focused(page), "Admin");
    await page.getByRole("heading", { level: 1 }).click();
    await menu(page).waitFor({ state: "detached" });
    const button = page.getByRole("button", { name: "Account menu" });
    await button.click();
    await button.click();
    await menu(page).waitFor({ state: "detached" });
    await button.press("ArrowUp");
    await comesTo(() => focused(page), "Logout");
    await page.keyboard.press("Tab");
    await menu(page).waitFor({ state: "detached" });
  });

  for (const width of [320, 1280]) {
    test(`hangs below the avatar and stays within a window of ${width} px`, async () => {
      const { page } = await opened(width);
      await settle(page);
      const avatar = await page.getByRole("button", { name: "Account menu" }).boundingBox();
      const box = await menu(page).boundingBox();
      if (avatar === null || box === null) throw new Error("it is not to be seen");
      expect(box.y).toBeGreaterThanOrEqual(avatar.y + avatar.height);
      expect(box.y - avatar.y - avatar.height).toBeLessThanOrEqual(8);
      expect(Math.abs(box.x + box.width - avatar.x - avatar.width)).toBeLessThanOrEqual(1);
      expect(box.x).toBeGreaterThanOrEqual(0);
    });
  }
});

describe("a notice while a question is open", () => {
  const failing = async () => {
    // A session that the last try may end.
    const visit = await stage.open("visitor");
    const grace = createPerson(stage.url);
    const account = { email: "grace@example.test", password: "a rather fine long password" };
    await grace.call("POST", "/api/auth/login", account);
    await giveSession(visit.context, stage.url, grace.cookie ?? "");
    const { page } = visit;
    const body = { success: false, code: "DB_UNAVAILABLE", message: "The database is restarting." };
    await page.route("**/api/auth/logout", (route) => route.fulfill({ status: 503, json: body }));
    await page.clock.install();
    await openLive(page, `${stage.url}/dashboard`);
    await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
    await question(page).getByRole("button", { name: "Logout" }).click();
    const notice = page.getByText("The database is restarting.");
    await page.clock.runFor(500);
    await notice.waitFor();
    return { ...visit, notice };
  };

  test("is in front of the backdrop, within reach, and part of what screen readers hear", async () => {
    const { page, notice, complaints } = await failing();
    // What is outside a modal dialog is inert: neither pointer nor screen reader gets there.
    expect(await question(page).getByRole("alert").textContent()).toBe("The database is restarting.");
    const isOnTop = await notice.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === element;
    });
    expect(isOnTop).toBe(true);
    await page.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });
    expect(await question(page).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("stays when the question goes, and vanishes 5 seconds after it came", async () => {
    const { page, notice } = await failing();
    await question(page).getByRole("button", { name: "Cancel" }).click();
    await question(page).waitFor({ state: "hidden" });
    await page.clock.runFor(3_000);
    expect(await notice.isVisible()).toBe(true);
    await page.clock.runFor(2_000);
    await notice.waitFor({ state: "detached" });
  });

  test("leaves the user signed in, and a second try signs out", async () => {
    const { page } = await failing();
    await page.unrouteAll();
    await question(page).getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(`${stage.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
  });
});

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
