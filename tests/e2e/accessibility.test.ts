import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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

/** Windows already open, by viewer and view: opening one takes longer than looking at most pages. */
const windows = new Map<string, Promise<WatchedPage>>();

const windowFor = (who: Viewer, view: { width: number; theme: "light" | "dark" }): Promise<WatchedPage> => {
  const key = JSON.stringify([who, view]);
  const known = windows.get(key) ?? stage.open(who, view);
  windows.set(key, known);
  return known;
};

const findings = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    // Pages without frames need no second page to put the findings together.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`);
};

describe("people who cannot see or point", () => {
  for (const scene of scenes) {
    for (const theme of ["light", "dark"] as const) {
      test(`${scene.name} in ${theme} has no finding of WCAG 2.2 A and AA`, async () => {
        const { page } = await windowFor(scene.who, { width: scene.maxWidth ? 390 : 1280, theme });
        await openScene(page, stage.url, scene);
        expect(await findings(page)).toEqual([]);
        expect(await page.locator("h1").count()).toBe(scene.hasNoHeading ? 0 : 1);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
    }
  }

  for (const { name, path, who } of pageList) {
    test(`${name} fits 320 px and has no sideways scrolling`, async () => {
      const { page } = await windowFor(who, { width: 320, theme: "light" });
      await openLive(page, `${stage.url}${path}`);
      await settle(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
});
