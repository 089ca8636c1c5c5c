import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const legal = ["/terms", "/privacy", "/cookies"];

const flat = (text: string): string => text.replace(/\s+/g, " ").trim();

describe("a legal page", () => {
  const today = new Intl.DateTimeFormat("en", { dateStyle: "long" });
  const updated = (page: Page) => page.getByText("Last updated:").textContent();

  for (const path of legal) {
    test(`${path} was last updated today, before the application is there and after`, async () => {
      const { page, complaints } = await stage.open("visitor");
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/assets/main-*.js", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${stage.url}${path}`, { waitUntil: "domcontentloaded" });
      const expected = `Last updated: ${today.format(new Date())}`;
      expect(await updated(page)).toBe(expected);
      release();
      await page.waitForFunction(() => globalThis.isLive === true);
      expect(await updated(page)).toBe(expected);
      expect(await page.locator("time").getAttribute("datetime")).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(complaints).toEqual([]);
    });

    test(`${path} has numbered sections, and each link of its contents leads to one by keyboard`, async () => {
      const { page } = await stage.open("visitor");
      await openLive(page, `${stage.url}${path}`);
      const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
      const titles = await page.locator("article h2:visible").allInnerTexts();
      expect(titles.length).toBeGreaterThan(5);
      expect((await links.allInnerTexts()).map(flat)).toEqual(titles.map(flat));
      for (const [index, title] of titles.entries()) {
        expect(title).toStartWith(`${index + 1}.`);
        await links.nth(index).focus();
        await page.keyboard.press("Enter");
        const heading = page.locator("article h2:visible").nth(index);
        await heading.and(page.locator(":focus")).waitFor();
        const top = (await heading.boundingBox())?.y ?? -1;
        expect([title, top]).toSatisfy(([, y]) => Number(y) >= 56 && Number(y) < 900);
      }
    });
  }

  test("says that it was updated today where scripts are off", async () => {
    const html = await (await fetch(`${stage.url}/terms`)).text();
    expect(html.replace(/<[^>]*>/g, "")).toContain("Last updated: today");
  });

  test("keeps its contents in sight beside the text, and marks where the reader is", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/privacy`);
    await page.locator("#retention").evaluate((heading) => heading.scrollIntoView());
    const contents = page.getByRole("navigation", { name: "On this page" });
    expect(await contents.evaluate((nav) => nav.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await contents.locator("[aria-current=location]", { hasText: "How long data is kept" }).waitFor();
  });
});
