import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Rules that depend on colours: what another theme of the same page can break. */
export const colourRules: readonly string[] = ["color-contrast", "link-in-text-block"];

/** Rules that depend on how much room there is: what another width of the same page can break. */
export const roomRules: readonly string[] = ["scrollable-region-focusable", "target-size"];

/** `rules`: looks by those alone. `within` and `without`: looks at this part alone or not at those, selectors. */
type Look = { rules?: readonly string[]; within?: string | undefined; without?: string | undefined };

/** What axe has against an open page by WCAG 2.2 A and AA: each rule with the places that break it. */
export const axeFindings = async (page: Page, { rules, within, without }: Look = {}): Promise<string[]> => {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(axeSource);
  // The builder would read it in twice for each look: it gets a script that does nothing.
  const builder = new AxeBuilder({ page, axeSource: "0" })
    .options({
      // What is fine is not written out.
      resultTypes: ["violations"],
      // Axe counts this rule of WCAG 2.1 A (2.5.3) as experimental: tags alone leave it out. Swagger UI breaks it in its own
      // "Authorize" buttons.
      rules: { "label-content-name-mismatch": { enabled: !page.url().includes("/swagger") } },
    })
    // Pages without frames need no second page to put the findings together.
    .setLegacyMode();
  if (within !== undefined) builder.include(within);
  if (without !== undefined) builder.exclude(without);
  if (rules === undefined) builder.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
  else builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
};

/** Axe as `AxeBuilder` has it, but minified: half as much for the browser to read. */
const axeSource = await Bun.file(
  Bun.resolveSync("axe-core/axe.min.js", fileURLToPath(import.meta.resolve("@axe-core/playwright"))),
).text();
