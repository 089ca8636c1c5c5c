import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { chapterGroups, docsPath } from "../../scripts/docs/chapters.ts";
import type { WatchedPage } from "../driver/browser.ts";
import { axeFindings } from "./axe-findings.ts";
import { comesTo, openLive, settle } from "./live.ts";
import { pageList } from "./page-list.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const paths = [docsPath, ...chapterGroups.flatMap(({ chapters }) => chapters.map(({ path }) => path))];

/** A window whose pages run no scripts at all, not even those that their policy allows. */
const openWithoutScripts = async (
  theme: "light" | "dark" = "light",
): Promise<{ page: Page; context: BrowserContext }> => {
  const { context: other } = await stage.open("visitor");
  const browser = other.browser();
  if (browser === null) throw new Error("the window has no browser");
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: theme });
  await other.close();
  return { page: await context.newPage(), context };
};

/** What stands around every chapter, and is looked at with the pages of the list. */
const frame = ".docs-header, .docs-chapters, .docs-footer";

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Of the page's ground, from 0 to 1; colours are OKLCH throughout. */
const lightness = async (page: Page): Promise<number> => {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  return Number(/^oklch\(([\d.]+)/.exec(colour)?.[1]);
};

const field = (page: Page) => page.getByRole("combobox", { name: "Search the documentation" });
const options = (page: Page) => page.getByRole("option");
const announced = (page: Page, words: string | RegExp) =>
  page.locator("#notice").filter({ hasText: words }).waitFor({ state: "attached" });

describe("reading", () => {
  test("every chapter is found by following links, without scripts, and says what it is", async () => {
    const { page } = await openWithoutScripts();
    await page.goto(`${stage.url}/about`);
    await page.getByRole("link", { name: "Docs" }).click();
    await page.waitForURL(`**${docsPath}`);
    const read: string[] = [];
    for (;;) {
      read.push(new URL(page.url()).pathname);
      expect(await page.locator("h1").count()).toBe(1);
      expect((await page.locator("article").textContent())?.length).toBeGreaterThan(200);
      const next = page.locator("a[rel=next]");
      const path = (await next.count()) === 0 ? null : await next.getAttribute("href");
      if (path === null) break;
      await next.click();
      await page.waitForURL((url) => url.pathname === path);
    }
    expect(read).toEqual(paths);
  });

  test("without scripts nothing is offered that would need them, and dark devices see a dark page", async () => {
    const { page } = await openWithoutScripts("dark");
    await page.goto(`${stage.url}/docs/mail`);
    expect(await field(page).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Toggle dark theme" }).isVisible()).toBe(false);
    const chapters = page.getByRole("navigation", { name: "Chapters", exact: true });
    expect(await chapters.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await chapters.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Chapters" }).click();
    await chapters.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL("**/docs/settings");
    expect(await lightness(page)).toBeLessThan(0.3);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await lightness(page)).toBeGreaterThan(0.9);
  });

  describe("of every page, in one of the themes in turn", () => {
    let windows: WatchedPage[];
    beforeAll(async () => {
      windows = await Promise.all(
        (["light", "dark"] as const).map((theme) => stage.open("visitor", { theme })),
      );
    });
    afterAll(() => Promise.all(windows.map(({ context }) => context.close())));

    for (const [at, path] of paths.entries())
      test(`${path} has no finding of WCAG 2.2 A and AA, fits 320 px, loads nothing from elsewhere and breaks no rule of its policy`, async () => {
        const shown = windows[at % 2];
        if (shown === undefined) throw new Error("a window is missing");
        const { page, complaints, foreign } = shown;
        await page.setViewportSize({ width: 1280, height: 900 });
        await openLive(page, stage.url + path);
        // Those of the list are looked at with all others, in both themes.
        if (!pageList.some((known) => known.path === path))
          expect(await axeFindings(page, { without: frame })).toEqual([]);
        await page.setViewportSize({ width: 320, height: 844 });
        await settle(page);
        expect(await overflow(page)).toBe(0);
        expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
      });
  });

  test("headings lead to themselves, and the list beside the text marks where the reader is", async () => {
    const { page } = await stage.open("visitor", { width: 1440 });
    await openLive(page, `${stage.url}/docs/configuration`);
    const contents = page.getByRole("navigation", { name: "On this page" });
    await contents.getByRole("link", { name: "Secrets" }).click();
    await page.waitForURL("**#secrets");
    await contents.locator("[aria-current=location]", { hasText: "Secrets" }).waitFor();
    const top = await page.locator("#secrets").evaluate((heading) => heading.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(56);
  });

  test("code is copied at a press, and that is said", async () => {
    const { page, context } = await stage.open("visitor");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openLive(page, `${stage.url}/docs/quick-start`);
    const code = page.locator("figure.code").first();
    await code.hover();
    await code.getByRole("button", { name: "Copy" }).click();
    await code.getByRole("button", { name: "Copied" }).waitFor();
    await announced(page, /^Copied$/);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("atrium serve");
  });

  test("where the browser refuses to copy, that is said, and the button can be pressed again", async () => {
    const { page } = await stage.open("visitor");
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    });
    await openLive(page, `${stage.url}/docs/quick-start`);
    const code = page.locator("figure.code").first();
    await code.hover();
    await code.getByRole("button", { name: "Copy" }).click();
    await code.getByRole("button", { name: "Copying failed" }).waitFor();
    await announced(page, /^Copying failed$/);
    await code.getByRole("button", { name: "Copy", exact: true }).waitFor();
  });
});

describe("searching", () => {
  test("the index is fetched only when a search is about to start", async () => {
    const { page } = await stage.open("visitor");
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await openLive(page, `${stage.url}/docs`);
    await page.waitForLoadState("networkidle");
    const isIndex = (path: string) => path.endsWith(".json");
    expect(fetched.filter(isIndex)).toEqual([]);
    const index = page.waitForResponse((response) => isIndex(new URL(response.url()).pathname));
    await page.keyboard.press("/");
    await (await index).finished();
    expect(fetched.filter(isIndex)).toHaveLength(1);
  });

  test("works by keyboard alone: /, words, arrows, Enter and Esc, with its count read out", async () => {
    const { page, complaints } = await stage.open("visitor");
    await openLive(page, `${stage.url}/docs`);
    await page.keyboard.press("/");
    await field(page).and(page.locator(":focus")).waitFor();
    expect(await field(page).inputValue()).toBe("");
    await page.keyboard.type("backups");
    await options(page).first().waitFor();
    await announced(page, /^\d+ results/);
    expect(await field(page).getAttribute("aria-expanded")).toBe("true");
    const chosen = async () => {
      const id = await field(page).getAttribute("aria-activedescendant");
      return page.locator(`#${id}[aria-selected=true]`).getAttribute("href");
    };
    expect(await chosen()).toBe("/docs/operating/backups");
    await page.keyboard.press("ArrowDown");
    const second = await chosen();
    expect(second).not.toBe("/docs/operating/backups");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    const last = await options(page).last().getAttribute("href");
    expect(await chosen()).toBe(last);
    await page.keyboard.press("Escape");
    expect(await field(page).getAttribute("aria-expanded")).toBe("false");
    expect(await options(page).first().isVisible()).toBe(false);
    await page.keyboard.type(" make");
    await options(page).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/**");
    expect(new URL(page.url()).pathname).toBe("/docs/operating/backups");
    expect(complaints).toEqual([]);
  });

  test("says so when nothing was found, or the index is away, and heals by itself", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/docs`);
    await page.route("**/*.json", (route) => route.abort());
    await field(page).fill("backups");
    await page.locator("#count", { hasText: "could not be loaded" }).waitFor();
    await page.unroute("**/*.json");
    await field(page).fill("backup");
    await options(page).first().waitFor();
    await field(page).fill("zeppelin");
    await page.locator("#count", { hasText: "No results" }).waitFor();
    await announced(page, /^No results\. Try fewer or different words\.$/);
    await comesTo(() => options(page).count(), 0);
  });

  test("a press on what was found opens it, on a phone too", async () => {
    const { page } = await stage.open("visitor", { width: 390 });
    await openLive(page, `${stage.url}/docs`);
    await field(page).fill("smtp_url");
    await options(page).first().tap();
    await page.waitForURL((url) => url.pathname !== "/docs");
    expect(await page.locator("h1").count()).toBe(1);
  });
});
