import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { inOrder } from "#api/testing/in-order.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import { button, field, notice } from "./settings-stage.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const open = async (width = 1280) => {
  const visit = await stage.open("admin", { width });
  await openLive(visit.page, `${stage.url}/admin/tokens`);
  await visit.page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  return visit;
};

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const secretOf = async (page: Page) => (await page.getByText(/^atr_/).textContent()) ?? "";

/** The status of a call with the token, made as a script would make it. */
const statusWith = async (token: string, path = "/api/plugins") =>
  (await fetch(`${stage.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Fills the form in and sends it, with the pointer. */
const create = async (page: Page, name: string) => {
  await button(page, "Create token").first().click();
  await field(page, "Name").fill(name);
  await field(page, "Plugins").selectOption("Read");
  await dialog(page, "Create an API token").getByRole("button", { name: "Create token" }).click();
};

describe("the page of API tokens", () => {
  // The first finds no tokens, and the others leave some behind.
  const step = inOrder();

  step(
    "makes one by the keyboard alone, shows it once, and has it refused the moment it is revoked",
    async () => {
      const { page, context } = await open();
      await page.getByText("No tokens yet").waitFor();
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await pressAt(page, "Create token");
      await typeAt(page, "Name", "ci");
      await tabTo(page, "Plugins");
      await page.keyboard.press("ArrowDown");
      await pressAt(page, "Create token");
      await dialog(page, "Copy the token now").waitFor();
      const secret = await secretOf(page);
      // The focus is on the button that copies.
      await page.keyboard.press("Enter");
      await page.getByText("Copied", { exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
      await pressAt(page, "I've copied it");
      expect(await statusWith(secret)).toBe(200);
      expect(await statusWith(secret, "/api/admin/users")).toBe(403);
      await pressAt(page, "ci");
      expect(await page.content()).not.toContain(secret);
      await pressAt(page, "Revoke");
      await pressAt(page, "Revoke token");
      await notice(page, tokenTexts.revoked);
      expect(await statusWith(secret)).toBe(401);
      await pressAt(page, "Remove from list");
      await dialog(page, "Remove ci from the list?").waitFor();
      await pressAt(page, "Remove from list");
      await notice(page, tokenTexts.removed);
      await page.getByText("No tokens yet").waitFor();
    },
    60_000,
  );

  step(
    "asks before leaving while a token is shown that was not copied",
    async () => {
      const { page } = await stage.open("admin");
      await openLive(page, `${stage.url}/admin`);
      await page
        .getByRole("navigation", { name: "Admin", exact: true })
        .getByRole("link", { name: "API tokens" })
        .click();
      await create(page, "shown once");
      await dialog(page, "Copy the token now").waitFor();
      const secret = await secretOf(page);
      await page.keyboard.press("Escape");
      await dialog(page, "Leave without the token?").getByRole("button", { name: "Cancel" }).click();
      expect(await secretOf(page)).toBe(secret);
      await page.evaluate(() => history.back());
      await dialog(page, "Leave without the token?").waitFor();
      await button(page, "Cancel").click();
      const asked = page.waitForEvent("dialog");
      void page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe("beforeunload");
      await question.dismiss();
      expect(await secretOf(page)).toBe(secret);
      await button(page, "I've copied it").click();
      await dialog(page, "Copy the token now").waitFor({ state: "detached" });
    },
    60_000,
  );

  step(
    "on a phone shows mistakes beside their fields, saves what is changed, and never scrolls sideways",
    async () => {
      const { page } = await open(320);
      await create(page, "narrow");
      await button(page, "I've copied it").click();
      await button(page, "narrow").click();
      await field(page, "Networks").fill("10.0.0.0/8\n10.0.0.0/99");
      await field(page, "Calls a minute").fill("many");
      await button(page, "Save changes").click();
      await page.getByText(tokenTexts.badNetwork).waitFor();
      await page.getByText(tokenTexts.badCalls).waitFor();
      expect(await field(page, "Networks").inputValue()).toBe("10.0.0.0/8\n10.0.0.0/99");
      const excess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
      expect(await page.evaluate(excess)).toBe(0);
      await field(page, "Networks").fill("10.0.0.0/8");
      await field(page, "Calls a minute").fill("60");
      await button(page, "Save changes").click();
      await notice(page, tokenTexts.changed);
      await page.reload();
      await button(page, "narrow").click();
      await comesTo(() => field(page, "Networks").inputValue(), "10.0.0.0/8");
      await comesTo(() => field(page, "Calls a minute").inputValue(), "60");
      expect(await page.evaluate(excess)).toBe(0);
    },
    60_000,
  );
});
