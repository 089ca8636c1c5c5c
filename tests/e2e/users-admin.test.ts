import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { userTexts } from "#contract/auth-texts.ts";
import { giveSession } from "../driver/people.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { openLive } from "./live.ts";
import { manyListedUsers } from "./shots/many-users.ts";
import { row, usersStageForFile } from "./users-stage.ts";

const users = await usersStageForFile();

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const notice = (page: Page, words: string) =>
  page.getByRole("region", { name: "Notifications" }).getByText(words).waitFor();
const closeSheet = async (page: Page, name: string) => {
  await page.keyboard.press("Escape");
  await dialog(page, name).waitFor({ state: "detached" });
};

describe("an admin, without a pointer,", () => {
  test("disables a user, whose open page is out at the next request, and enables them again", async () => {
    const member = await users.add("Shut Out");
    const own = await users.stage.open("visitor");
    await giveSession(own.context, users.stage.url, await users.signIn(member.email));
    await openLive(own.page, `${users.stage.url}/dashboard`);
    await own.page.getByRole("main").getByText(member.email).first().waitFor();

    const { page, complaints } = await users.openUsers(`?search=${member.email}`);
    await pressAt(page, member.name);
    await dialog(page, member.name).getByText("Sessions (1)").waitFor();
    await pressAt(page, "Disable");
    await dialog(page, "Disable this account?").getByText(member.name).waitFor();
    await pressAt(page, "Cancel");
    await pressAt(page, "Disable");
    await tabTo(page, "Cancel");
    await pressAt(page, "Disable");
    await notice(page, userTexts.disabled);
    await dialog(page, member.name).getByText("Not signed in anywhere.").waitFor();
    await dialog(page, member.name).getByText("Enable the account first.").waitFor();
    await row(page, member.email).getByText("Disabled").waitFor();

    await own.page.reload();
    await own.page.waitForURL("**/login**");
    await own.context.close();

    await pressAt(page, "Enable");
    await notice(page, userTexts.enabled);
    await row(page, member.email).getByText("Active").waitFor();
    await closeSheet(page, member.name);
    expect(await users.signIn(member.email)).toStartWith("sid=");
    expect(complaints).toEqual([]);
  });
});

describe("what is shown", () => {
  test("fits 320 px: list, details, questions and forms", async () => {
    const member = await users.add(`${"Maximiliana-Wilhelmine".repeat(4)} Ng`);
    const { page } = await users.openUsers(`?search=${member.email}`, 320);
    const fits = async () => {
      const open = page.locator("dialog:modal").last();
      const wide = await ((await open.count()) > 0 ? open : page.locator("html")).evaluate(
        (element) => element.scrollWidth - element.clientWidth,
      );
      expect(wide).toBeLessThanOrEqual(0);
    };
    await row(page, member.email).getByRole("button").click();
    await dialog(page, member.name).getByText(member.email).first().waitFor();
    await fits();
    for (const name of ["Disable", "Delete"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await fits();
      await page.keyboard.press("Escape");
    }
    await closeSheet(page, member.name);
    await page.getByRole("button", { name: "Add user" }).click();
    await fits();
  });
});

const { stage } = users;

const calls = "**/api/admin/users?**";
const range = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();

/** The list of users as an admin sees it, with 300 of them. */
const openList = async (width = 1280) => {
  const visit = await stage.open("admin", { width });
  const { page } = visit;
  await page.route(calls, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: manyListedUsers({ limit, offset }) } });
  });
  await openLive(page, `${stage.url}/admin/users`);
  return visit;
};

describe("an admin page that was opened while the server was away", () => {
  test("shows its content automatically once the server is back", async () => {
    const { page } = await stage.open("admin");
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${stage.url}/admin`);
    await page.getByRole("main").getByRole("alert").first().waitFor();
    await page.unroute("**/api/**");
    await page.getByRole("main").getByText("ada@example.test").filter({ visible: true }).first().waitFor();
    await page.getByRole("main").getByRole("alert").first().waitFor({ state: "detached" });
  });
});

describe("the list of users", () => {
  test("goes with Back and Forward, and comes back as it was after a reload", async () => {
    const { page } = await openList();
    for (const words of ["26–50 of 300", "51–75 of 300"]) {
      await page.getByRole("button", { name: "Next" }).click();
      await range(page, words);
    }
    await page.goBack();
    await range(page, "26–50 of 300");
    await page.goForward();
    await range(page, "51–75 of 300");
    await page.reload();
    await range(page, "51–75 of 300");
  });

  for (const width of [390, 1280]) {
    test(`each page begins at its top at ${width} px`, async () => {
      const { page } = await openList(width);
      await range(page, "1–25 of 300");
      await page.getByRole("row").last().scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Next" }).click();
      await range(page, "26–50 of 300");
      const first = page.getByRole("row").nth(1);
      await page.waitForFunction(() => window.scrollY === 0);
      const { y = -1 } = (await first.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(200);
    });
  }
});
