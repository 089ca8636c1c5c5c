import { describe, expect, test } from "bun:test";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

describe("the switches of the test page", () => {
  const names = ["IP Blocking", "Country Blocking", "Rate Limiting", "Pattern Detection"];

  test("are reached one after another and turned by Space and Enter", async () => {
    const { page } = await stage.open("user");
    await openLive(page, `${stage.url}/switch-test`);
    const first = page.getByRole("switch", { name: "IP Blocking" });
    await first.waitFor();
    expect(await page.getByRole("switch").count()).toBe(names.length);
    await first.focus();
    for (const name of names) {
      const focused = page.getByRole("switch", { name }).and(page.locator(":focus"));
      await focused.waitFor();
      await page.keyboard.press("Space");
      await page.getByRole("switch", { name, checked: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("switch", { name, checked: false }).waitFor();
      await page.keyboard.press("Tab");
    }
    await page.getByText("Rate Limiting", { exact: true }).click();
    await comesTo(() => page.getByRole("switch", { checked: true }).count(), 1);
  });

  test("show their state where the system forces its colors", async () => {
    const { page } = await stage.open("user");
    await page.emulateMedia({ forcedColors: "active" });
    await openLive(page, `${stage.url}/switch-test`);
    const control = page.getByRole("switch", { name: "IP Blocking" });
    const look = () =>
      control.evaluate((track) => {
        const thumb = track.firstElementChild ?? track;
        const { borderTopColor, backgroundColor } = getComputedStyle(track);
        return {
          border: borderTopColor,
          ground: backgroundColor,
          thumb: getComputedStyle(thumb).backgroundColor,
        };
      });
    const off = await look();
    expect(off.border).not.toBe(off.ground);
    expect(off.thumb).not.toBe(off.ground);
    await control.click();
    const on = await look();
    expect(on.thumb).not.toBe(off.thumb);
    expect(on.thumb).not.toBe(on.ground);
  });

  test("are only for users with an account", async () => {
    const answer = await fetch(`${stage.url}/switch-test`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?from=%2Fswitch-test"]);
  });
});
