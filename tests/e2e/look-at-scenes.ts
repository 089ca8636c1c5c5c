import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docsPath } from "../../scripts/docs/chapters.ts";
import type { WatchedPage } from "../driver/browser.ts";
import { axeFindings, colourRules } from "./axe-findings.ts";
import { settle } from "./live.ts";
import { openScene } from "./shots/open-scene.ts";
import { scenes } from "./shots/scenes.ts";
import type { Scene } from "./shots/steps.ts";
import { openStage, type Viewer } from "./stage.ts";

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

/** Whether a scene shows a page as it is; `api-page.test.ts` and `docs.test.ts` see to theirs at this width themselves. */
const isToFit = ({ path, steps }: Scene): boolean =>
  steps === undefined && path !== "/swagger" && !path.startsWith(docsPath);

/** What stands around every page, and is looked at with the pages themselves: the footer and the menu of administration. */
const frame = ":is(aside, footer):not(main *, dialog *)";

const sizes = {
  narrowest: { width: 320, height: 844 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 900 },
};

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A test for each scene of these viewers: the scenes take long enough for two files, which run beside each other. */
export const lookAtScenes = async (viewers: readonly Viewer[]): Promise<void> => {
  const stage = await openStage();
  afterAll(() => stage.close());
  // Windows already open, by viewer and width: opening one takes longer than looking at most pages.
  const windows = new Map<string, Promise<WatchedPage>>();
  const windowFor = (who: Viewer, width: number): Promise<WatchedPage> => {
    const key = `${who} ${width}`;
    const known = windows.get(key) ?? stage.open(who, { width });
    windows.set(key, known);
    return known;
  };

  // `api-page.test.ts` looks at a call that is tried out itself, in both themes.
  const own = scenes.filter(({ name, who }) => name !== "swagger-tried" && viewers.includes(who));
  for (const [at, scene] of own.entries()) {
    // One is loaded, the other changed to while the page is open: in turn, so that both are loaded as often.
    const themes = at % 2 === 0 ? (["light", "dark"] as const) : (["dark", "light"] as const);
    const fits = isToFit(scene) ? ", and fits 320 px without sideways scrolling" : "";
    test(`${scene.name} in ${themes.join(" and ")} has no finding of WCAG 2.2 A and AA${fits}`, async () => {
      const size = scene.maxWidth ? sizes.phone : sizes.desktop;
      const { page } = await windowFor(scene.who, size.width);
      const reopen = async () => {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await openScene(page, stage.url, scene);
        return wordsOf(page);
      };
      const look = async (theme: "light" | "dark", rules?: readonly string[]) => {
        expect([theme, await isDark(page)]).toEqual([theme, theme === "dark"]);
        const without = scene.steps === undefined ? undefined : frame;
        const findings = await axeFindings(page, { ...(rules && { rules }), within: scene.within, without });
        expect([theme, findings]).toEqual([theme, []]);
        expect(await page.locator("h1").count()).toBe(scene.hasNoHeading ? 0 : 1);
      };
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: themes[0] });
      const words = await reopen();
      await look(themes[0]);
      await changeTheme(page, themes[1]);
      // A notice that has passed meanwhile is called up again.
      if ((await wordsOf(page)) !== words) await reopen();
      // What the page is made of is the same in both: the second one has other colours.
      await look(themes[1], colourRules);
      if (isToFit(scene)) {
        await page.setViewportSize(sizes.narrowest);
        await settle(page);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  }
};
