import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { errorTexts } from "#contract/errors.ts";
import { userTexts } from "#contract/user-texts.ts";
import { giveSession } from "../driver/people.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { openLive } from "./live.ts";
import { openUsersStage, password, row, type UsersStage } from "./users-stage.ts";

let users: UsersStage;

beforeAll(async () => {
  users = await openUsersStage();
}, 90_000);

afterAll(() => users.stage.close());

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

    const { page, context, complaints } = await users.openUsers(`?search=${member.email}`);
    await pressAt(page, member.name);
    await dialog(page, member.name).getByText("Sessions (1)").waitFor();
    await pressAt(page, "Disable");
    await dialog(page, "Disable this account?").getByText(member.name).waitFor();
    await pressAt(page, "Cancel");
    await pressAt(page, "Disable");
    await tabTo(page, "Cancel");
    await pressAt(page, "Disable");
    await notice(page, userTexts.disabled);
    await dialog(page, member.name).getByText("Signed in nowhere.").waitFor();
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
    await context.close();
  });

  test("makes somebody an admin and a user again, and both stand in the list", async () => {
    const member = await users.add("Up And Down");
    const { page, context } = await users.openUsers(`?search=${member.email}`);
    await pressAt(page, member.name);
    for (const [button, title, role] of [
      ["Make admin", "Make this user an administrator?", "Admin"],
      ["Make user", "Make this administrator a user?", "User"],
    ] as const) {
      await pressAt(page, button);
      await dialog(page, title).waitFor();
      await tabTo(page, "Cancel");
      await pressAt(page, button);
      await dialog(page, title).waitFor({ state: "detached" });
      await row(page, member.email).getByRole("cell", { name: role, exact: true }).waitFor();
    }
    await context.close();
  });

  test("mails a reset, and ends all sessions", async () => {
    const member = await users.add("Reset Me");
    await users.signIn(member.email);
    const { page, context } = await users.openUsers(`?search=${member.email}`);
    await pressAt(page, member.name);
    await pressAt(page, "Send password reset");
    await notice(page, userTexts.resetMailed);
    await pressAt(page, "End all sessions");
    await dialog(page, "End all sessions?").waitFor();
    await tabTo(page, "Cancel");
    await pressAt(page, "End all sessions");
    await dialog(page, member.name).getByText("Signed in nowhere.").waitFor();
    await context.close();
  });

  test("deletes somebody by typing the address, and goes on at the list", async () => {
    const member = await users.add("Gone Soon");
    const { page, context } = await users.openUsers("?search=Gone+Soon");
    await pressAt(page, member.name);
    await pressAt(page, "Delete");
    await dialog(page, "Delete this account?").waitFor();
    // The field has the focus from the start.
    await page.keyboard.type("somebody@else.example");
    await page.keyboard.press("Enter");
    await page.getByText("This is not the address of the account").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(member.email);
    await page.keyboard.press("Enter");
    await notice(page, userTexts.deleted);
    await page.getByText("No users found").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).search).toBe("?search=Gone+Soon");
    await page.waitForFunction(() =>
      document.activeElement?.contains(document.querySelector("main [role=status]")),
    );
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await pressAt(page, "Show all users");
    await row(page, "Ada Lovelace").waitFor();
    await context.close();
  });

  test("adds a user, and reads beside the fields what will not do", async () => {
    const { page, context } = await users.openUsers();
    const email = "added@users.example";
    await pressAt(page, "Add user");
    await dialog(page, "Add a user").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Please enter your name").waitFor();
    await page.keyboard.type("Added Member");
    await typeAt(page, "Email Address", "ada@example.test");
    await typeAt(page, "Password", password);
    await tabTo(page, "Role");
    await page.keyboard.press("A");
    await pressAt(page, "Add user");
    await page.getByText("A user with this email address exists already").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await notice(page, userTexts.added);
    await row(page, email).getByText("Admin").waitFor();
    await context.close();
    expect(await users.signIn(email)).toStartWith("sid=");
  });
});

describe("what cannot be done", () => {
  test("says why: the last admin stays, with the reason beside each button", async () => {
    await users.admin.call("DELETE", "/api/admin/users/added@users.example");
    const { page, context } = await users.openUsers("?search=ada@example.test");
    await row(page, "Ada Lovelace").getByText("You", { exact: true }).waitFor();
    await row(page, "Ada Lovelace").click();
    const sheet = dialog(page, "Ada Lovelace");
    for (const name of ["Make user", "Disable", "Delete"]) {
      const button = sheet.getByRole("button", { name, exact: true });
      expect(await button.getAttribute("aria-disabled")).toBe("true");
      await button.press("Enter");
      const reason = await button.getAttribute("aria-describedby");
      expect(await page.locator(`[id="${reason}"]`).textContent()).toBe(errorTexts.LAST_ADMIN);
    }
    expect(await page.getByRole("dialog").count()).toBe(1);
    await context.close();
  });

  test("is told in the question, which stays open to be tried again", async () => {
    const member = await users.add("Busy Server");
    const { page, context } = await users.openUsers(`?search=${member.email}`);
    const message = "The database is restarting.";
    await page.route("**/disable", (route) =>
      route.fulfill({ status: 503, json: { success: false, code: "DB_UNAVAILABLE", message } }),
    );
    await row(page, member.email).click();
    await page.getByRole("button", { name: "Disable" }).click();
    const question = dialog(page, "Disable this account?");
    await question.getByRole("button", { name: "Disable" }).click();
    await question.getByRole("alert").getByText(message).waitFor();
    await page.unroute("**/disable");
    await question.getByRole("button", { name: "Disable" }).click();
    await notice(page, userTexts.disabled);
    await context.close();
  });

  test("names a user who is gone by now, and one who never was", async () => {
    const { page, context } = await users.openUsers(`?user=${crypto.randomUUID()}`);
    await page.getByRole("dialog").getByText("Failed to load admin data: 404 Not Found").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(`${users.stage.url}/admin/users`);
    await context.close();
  });
});

describe("what is shown", () => {
  test("stands in the address: role, status and the open details, for Back, a reload and a link", async () => {
    const [boss, off] = [await users.add("Filter Boss", "admin"), await users.add("Filter Off")];
    await users.admin.call("POST", `/api/admin/users/${off.email}/disable`);
    const { page, context } = await users.openUsers("?search=Filter&page=2");
    await page.getByText("There are not that many users").waitFor();
    await page.getByLabel("Role").selectOption("Admin");
    await page.waitForURL("**/admin/users?search=Filter&role=admin");
    await row(page, boss.email).waitFor();
    expect(await row(page, off.email).count()).toBe(0);
    await page.getByLabel("Status").selectOption("Disabled");
    await page.getByText("Nobody matches what is chosen above.").waitFor();
    await page.getByLabel("Role").selectOption("Any role");
    await row(page, off.email).click();
    await dialog(page, off.name).getByText("Signed in nowhere.").waitFor();
    const address = page.url();
    await page.goBack();
    await dialog(page, off.name).waitFor({ state: "detached" });
    await openLive(page, address);
    await dialog(page, off.name).getByText(off.email).first().waitFor();
    expect(await page.getByLabel("Status").inputValue()).toBe("disabled");
    await users.admin.call("DELETE", `/api/admin/users/${boss.email}`);
    await context.close();
  });

  test("can be copied: address and id", async () => {
    const { page, context } = await users.openUsers("?search=grace@example.test");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await row(page, "Grace Hopper").click();
    for (const [name, pattern] of [
      ["Copy Email", /^grace@example\.test$/],
      ["Copy Id", /^[0-9a-f-]{36}$/],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("status").filter({ hasText: "Copied" }).first().waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(pattern);
    }
    await context.close();
  });

  test("fits 320 px: list, details, questions and forms", async () => {
    const member = await users.add(`${"Maximiliana-Wilhelmine".repeat(4)} Ng`);
    const { page, context } = await users.openUsers(`?search=${member.email}`, 320);
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
    await context.close();
  });
});

describe("registrations that wait", () => {
  test("are verified and removed, each after a question, and the keyboard goes on at the list", async () => {
    const [one, two] = [await users.register("Waiting One"), await users.register("Waiting Two")];
    const { page, context } = await users.openUsers();
    await pressAt(page, "Waiting for verification");
    await page.waitForURL("**/admin/users?tab=pending");
    await row(page, one.email).waitFor();
    await pressAt(page, `Verify ${one.email}`);
    await dialog(page, "Verify this address?").getByText(one.email).waitFor();
    await tabTo(page, "Cancel");
    await pressAt(page, "Verify");
    await notice(page, userTexts.verified);
    await row(page, one.email).waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    expect(await users.signIn(one.email)).toStartWith("sid=");
    await pressAt(page, `Remove the registration of ${two.email}`);
    await tabTo(page, "Cancel");
    await pressAt(page, "Remove registration");
    await notice(page, userTexts.registrationRemoved);
    await page.getByText("Nobody waits for verification").waitFor();
    await pressAt(page, "Accounts");
    await row(page, one.email).waitFor();
    await context.close();
  });

  test("are each shown where several have one address, and the one that is chosen is verified", async () => {
    const { email } = await users.register("The Owner");
    await users.register("A Stranger", email);
    const { page, context } = await users.openUsers("?tab=pending");
    await page.getByText("one of 2").nth(1).waitFor();
    await pressAt(page, `Verify the registration of ${email} as The Owner`);
    await dialog(page, "Verify this address?").getByText("The Owner").waitFor();
    await tabTo(page, "Cancel");
    await pressAt(page, "Verify");
    await notice(page, userTexts.verified);
    await pressAt(page, "Accounts");
    await row(page, email).getByText("The Owner").waitFor();
    await context.close();
  });
});
