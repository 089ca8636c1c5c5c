import { describe, expect, test } from "bun:test";
import { settingsTexts } from "#contract/settings.ts";
import { comesTo } from "./live.ts";
import { button, field, notice, section, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();

describe("the history of settings", () => {
  test("shows a change as soon as it is saved, takes it back, and that back again", async () => {
    await settings.put("core", { rateLimiting: { maxRequests: 100 } });
    const { page } = await settings.openSettings();
    await field(page, "Max Requests").fill("333");
    await button(page, "Save").click();
    const newest = section(page, "History")
      .getByRole("list", { name: "Changes" })
      .getByRole("listitem")
      .first();
    await newest.getByText("333", { exact: true }).waitFor();
    expect(await newest.textContent()).toContain("by ada@example.test");
    expect(await newest.textContent()).toMatch(/Max Requests.*100.*→.*333/);

    await field(page, "Message").fill("Typed meanwhile");
    await newest.getByRole("button", { name: /^Revert/ }).click();
    await notice(page, settingsTexts.reverted);
    await newest.getByText(/reverts #\d+/).waitFor();
    await comesTo(() => field(page, "Max Requests").inputValue(), "100");
    expect(await field(page, "Message").inputValue()).toBe("Typed meanwhile");

    await button(page, "Undo").click();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name="rateLimiting.maxRequests"]')?.value === "333",
    );
    expect(await field(page, "Message").inputValue()).toBe("Typed meanwhile");
  });

  test("says of secrets only what became of them, and why such a change cannot be taken back", async () => {
    await settings.put("credentials", { redis: { endpoint: "redis://redis.example" } });
    await settings.put("credentials", { redis: { password: "a-secret-nobody-sees" } });
    const { page } = await settings.openSettings();
    const newest = section(page, "History")
      .getByRole("list", { name: "Changes" })
      .getByRole("listitem")
      .first();
    await newest.getByText("Redis Password").waitFor();
    expect(await newest.textContent()).toContain("Only secrets were changed");
    expect(await newest.getByRole("button").count()).toBe(0);
    expect(await page.content()).not.toContain("a-secret-nobody-sees");
  });

  test("asks before it deletes secrets with their endpoint, names them, and offers no way back then", async () => {
    await settings.put("credentials", { redis: { endpoint: "" } });
    await settings.put("credentials", { redis: { endpoint: "redis://redis.example", password: "p" } });
    const { page } = await settings.openSettings();
    const newest = section(page, "History")
      .getByRole("list", { name: "Changes" })
      .getByRole("listitem")
      .first();
    const revert = newest.getByRole("button", { name: /^Revert/ });
    const question = page.getByRole("dialog", { name: /^Revert change #\d+\?$/ });
    await revert.click();
    await question.getByText(/permanently deletes what was entered for it: Redis Password\.$/).waitFor();
    await button(page, "Cancel").click();
    expect(await field(page, "Redis URL").inputValue()).toBe("redis://redis.example");
    await revert.click();
    await button(page, "Revert and delete").click();
    await notice(page, settingsTexts.revertedAndEmptied);
    await newest.getByText(/reverts #\d+/).waitFor();
    await button(page, "Undo").waitFor({ state: "detached" });
    await comesTo(() => field(page, "Redis URL").inputValue(), "");
    // The button that was pressed has gone; the keyboard goes on in the list.
    await section(page, "History").locator(":focus").waitFor();
  });

  test("says why an older change of a field cannot be taken back, and shows older ones on demand", async () => {
    for (let count = 0; count < 12; count += 1)
      await settings.put("core", { rateLimiting: { maxRequests: 500 + count } });
    const { page } = await settings.openSettings();
    const rows = section(page, "History").getByRole("button", { name: /^Revert/ });
    const older = section(page, "History").getByText(/changed again later/);
    await comesTo(async () => [await rows.count(), await older.count()], [1, 9]);
    await button(page, "Show older changes").click();
    await older.nth(10).waitFor();
  });
});
