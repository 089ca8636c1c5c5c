import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { sized } from "#api/testing/size.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { password, row, usersStageForFile } from "./users-stage.ts";

const users = await usersStageForFile();

// One of each kind, or all of them.
const everySo = sized(8, 1);
const isSampled = (_: string, at: number) => at % everySo === 0;
const names = [...hostileMarkup, ...hostileTexts]
  .map((text) => text.trim())
  .filter((text) => nameComplaint(text) === null)
  .filter(isSampled);

/** Shows whom a search finds, without the pause that waits for the end of typing. */
const searchFor = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("Search").fill(text);
  await page.getByLabel("Search").press("Enter");
};

test(`L1: ${names.length} hostile names and browsers are shown as text in the table, the details and each dialog, and none runs`, async () => {
  const { page, context, complaints, foreign } = await users.openUsers("?search=member");
  const dialogs: string[] = [];
  page.on("dialog", (shown) => {
    dialogs.push(shown.message());
    void shown.dismiss();
  });
  for (const [at, name] of names.entries()) {
    const member = await users.add(name);
    await fetch(`${users.stage.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": name.replace(/[^\x20-\x7e]/g, "?") },
      body: JSON.stringify({ email: member.email, password }),
    });
    await searchFor(page, member.email);
    await row(page, member.email).waitFor();
    expect(await row(page, member.email).getByRole("button").textContent()).toBe(name);
    await row(page, member.email).getByRole("button").click();
    const sheet = page.getByRole("dialog").first();
    await sheet.getByText("Sessions (1)").waitFor();
    expect(await sheet.getByRole("heading", { level: 2 }).textContent()).toBe(name);
    for (const button of at % 5 === 0
      ? ["Make admin", "Disable", "End all sessions", "Delete"]
      : ["Delete"]) {
      await sheet.getByRole("button", { name: button, exact: true }).click();
      const question = page.getByRole("dialog").last();
      expect(await question.textContent()).toContain(name);
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelectorAll("dialog:modal").length === 1);
    }
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  }
  await page.getByRole("link", { name: "Waiting for verification" }).click();
  for (const name of names.slice(0, 10)) {
    const waiting = await users.register(name);
    await searchFor(page, waiting.email);
    await row(page, waiting.email).waitFor();
    expect(await row(page, waiting.email).getByRole("rowheader").locator("[title]").textContent()).toBe(name);
    await page.getByRole("button", { name: `Verify ${waiting.email}` }).click();
    expect(await page.getByRole("dialog").textContent()).toContain(name);
    await page.keyboard.press("Escape");
  }
  await page.getByLabel("Search").fill("<img src=none onerror=alert(2)>");
  await page.getByText("contains “<img src=none onerror=alert(2)>”").waitFor();
  expect({ dialogs, complaints, foreign }).toEqual({ dialogs: [], complaints: [], foreign: [] });
  await context.close();
}, 240_000);

test("a question about an email address with no place to break keeps its words and buttons inside", async () => {
  const { page, context } = await users.openUsers("?tab=pending", 390);
  const { email } = await users.register("Ada", `${"a".repeat(60)}@${"b".repeat(60)}.example`);
  await searchFor(page, email);
  await page.getByRole("button", { name: `Remove the registration of ${email}` }).click();
  const question = page.getByRole("dialog");
  await question.getByText(email).waitFor();
  expect(
    await question.evaluate(
      (dialog) =>
        [dialog, ...dialog.querySelectorAll("*")].filter(
          (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
        ).length,
    ),
  ).toBe(0);
  await context.close();
});
