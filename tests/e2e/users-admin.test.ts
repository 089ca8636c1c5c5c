import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { userTexts } from "#contract/auth-texts.ts";
import { giveSession } from "../driver/people.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { openLive } from "./live.ts";
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
