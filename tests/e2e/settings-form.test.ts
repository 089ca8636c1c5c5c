import { describe, expect, test } from "bun:test";
import { settingsTexts } from "#contract/settings.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { comesTo } from "./live.ts";
import { button, field, notice, settingsStageForFile } from "./settings-stage.ts";

const settings = await settingsStageForFile();

describe("the settings' form", () => {
  test("saves both parts, shows what is saved after a reload, and sends only what was changed", async () => {
    const { page } = await settings.openSettings();
    const sent: unknown[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.postDataJSON()));
    await field(page, "Bucket Name").fill("packages");
    await field(page, "Max Requests").fill("250");
    await field(page, "Window").selectOption("5 minutes");
    await page.getByRole("switch", { name: "CORS" }).click();
    await page.getByText("4 fields changed").waitFor();
    await button(page, "Save").click();
    await notice(page, settingsTexts.allSaved);
    await page.getByText("No unsaved changes").waitFor();
    expect(sent).toEqual([
      { cloudflareR2: { bucket: "packages" } },
      { rateLimiting: { windowMs: 300_000, maxRequests: 250 }, security: { corsEnabled: false } },
    ]);
    await page.reload();
    await comesTo(() => field(page, "Bucket Name").inputValue(), "packages");
    await comesTo(() => field(page, "Max Requests").inputValue(), "250");
    await comesTo(() => field(page, "Window").inputValue(), "300000");
    await comesTo(() => page.getByRole("switch", { name: "CORS" }).getAttribute("aria-checked"), "false");
  });
});

describe("a saved secret's placeholder", () => {
  test("fits at 320 px", async () => {
    await settings.put("credentials", { redis: { endpoint: "redis://127.0.0.1:6399", password: "p" } });
    const { page } = await settings.openSettings({ view: { width: 320 } });
    const room = await field(page, "Redis Password").evaluate((control) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(control);
      const pen = document.createElement("canvas").getContext("2d");
      if (pen === null) throw new Error("there is nothing to measure with");
      pen.font = font;
      const text = control.getAttribute("placeholder") ?? "";
      const within = control.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return within - pen.measureText(text).width;
    });
    expect(room).toBeGreaterThanOrEqual(0);
  });
});

describe("the keyboard", () => {
  test("alone fills, fixes and saves the form", async () => {
    const { page } = await settings.openSettings();
    await typeAt(page, "Max Requests", "7");
    await page.keyboard.press("Enter");
    await page.getByText(settingsTexts.fixBeforeSaving).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("400");
    await tabTo(page, "Skip Plugin Routes");
    await page.keyboard.press("Space");
    await page.keyboard.press("ControlOrMeta+s");
    await notice(page, settingsTexts.allSaved);
    await typeAt(page, "Max Requests", "401");
    await pressAt(page, "Save");
    await page.getByText("No unsaved changes").waitFor();
    await comesTo(() => field(page, "Max Requests").inputValue(), "401");
  });
});
