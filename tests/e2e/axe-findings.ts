import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe has against an open page by WCAG 2.2 A and AA: each rule with the places that break it. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
};
