import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import type { WatchedPage } from "../driver/browser.ts";
import { openLive, settle } from "./live.ts";
import { pageList } from "./page-list.ts";
import { openScene } from "./shots/open-scene.ts";
import { scenes } from "./shots/scenes.ts";
import { openStage, type Stage, type Viewer } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

/** Windows already open, by viewer and width: opening one takes longer than looking at most pages. */
const windows = new Map<string, Promise<WatchedPage>>();

const windowFor = (who: Viewer, width: number): Promise<WatchedPage> => {
  const key = `${who} ${width}`;
  const known = windows.get(key) ?? stage.open(who, { width });
  windows.set(key, known);
  return known;
};

/** Axe as `AxeBuilder` has it, but minified: half as much for the browser to read. */
const axeSource = await Bun.file(
  Bun.resolveSync("axe-core/axe.min.js", fileURLToPath(import.meta.resolve("@axe-core/playwright"))),
).text();

const findings = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  // The builder would read it in twice for each look: it gets a script that does nothing.
  const { violations } = await new AxeBuilder({ page, axeSource: "0" })
    // What is fine is not written out.
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    // Pages without frames need no second page to put the findings together.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`);
};

/** Changes the theme of an open page, which hears of it a moment later. */
const changeTheme = async (page: Page, theme: "light" | "dark"): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme });
  const isWorn = (wanted: boolean) => document.documentElement.classList.contains("dark") === wanted;
  await page.waitForFunction(isWorn, theme === "dark");
  await settle(page);
};

const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.classList.contains("dark"));

const wordsOf = (page: Page): Promise<string | null> => page.locator("body").textContent();

describe("people who cannot see or point", () => {
  for (const [at, scene] of scenes.entries()) {
    // One is loaded, the other changed to while the page is open: in turn, so that both are loaded as often.
    const themes = at % 2 === 0 ? (["light", "dark"] as const) : (["dark", "light"] as const);
    test(`${scene.name} in ${themes.join(" and ")} has no finding of WCAG 2.2 A and AA`, async () => {
      const { page } = await windowFor(scene.who, scene.maxWidth ? 390 : 1280);
      const reopen = async () => {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await openScene(page, stage.url, scene);
        return wordsOf(page);
      };
      await page.emulateMedia({ colorScheme: themes[0] });
      let words = await reopen();
      for (const colorScheme of themes) {
        await changeTheme(page, colorScheme);
        // A notice that has passed meanwhile is called up again.
        if ((await wordsOf(page)) !== words) words = await reopen();
        expect([colorScheme, await isDark(page)]).toEqual([colorScheme, colorScheme === "dark"]);
        expect([colorScheme, await findings(page)]).toEqual([colorScheme, []]);
        expect(await page.locator("h1").count()).toBe(scene.hasNoHeading ? 0 : 1);
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  }

  for (const { name, path, who } of pageList) {
    test(`${name} fits 320 px and has no sideways scrolling`, async () => {
      const { page } = await windowFor(who, 320);
      await openLive(page, `${stage.url}${path}`);
      await settle(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
});
