import { expect, test } from "bun:test";
import { openPage } from "../driver/browser.ts";
import { browserForFile } from "../driver/for-file.ts";
import { axeFindings, colourRules } from "./axe-findings.ts";
import { lookAtScenes } from "./look-at-scenes.ts";

const browser = await browserForFile();

test("the look at a second theme tells of words that are too pale in it", async () => {
  const { page } = await openPage(browser, { width: 1280, theme: "light" });
  await page.setContent("<p style='color: #999; background: #aaa'>Pale</p>");
  expect(await axeFindings(page, { rules: colourRules })).toEqual(["color-contrast: p"]);
});

await lookAtScenes(["visitor", "user"]);
