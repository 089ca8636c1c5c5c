import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { iconFile } from "./images/icon-file.ts";
import { iconMarkup } from "./images/icon-markup.ts";
import { socialCardMarkup } from "./images/social-card-markup.ts";
import { projectRoot } from "./project-root.ts";

/**
 * Draws the icons and the picture that other sites show beside a link, into src/ui/public, from the sign in favicon.svg.
 * Run by hand when the sign or the words change; the results are kept, so that a build needs no browser.
 */
const folder = join(projectRoot, "src/ui/public");
const sign = readFileSync(join(folder, "favicon.svg"), "utf8");
const font = readFileSync(join(projectRoot, "src/ui/fonts/inter-latin.woff2")).toString("base64");

/** Names of the icons: size in pixels, and whether the sign keeps clear of edges that a device may cut off. */
const icons = [
  { name: "apple-touch-icon.png", size: 180, isMaskable: true },
  { name: "icon-192.png", size: 192, isMaskable: false },
  { name: "icon-512.png", size: 512, isMaskable: false },
  { name: "icon-maskable-192.png", size: 192, isMaskable: true },
  { name: "icon-maskable-512.png", size: 512, isMaskable: true },
];

type Picture = { html: string; width: number; height: number };

const draw = async (browser: Browser, { html, width, height }: Picture): Promise<Uint8Array> => {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return new Uint8Array(png);
};

const square = (size: number, isMaskable: boolean): Picture => ({
  html: iconMarkup({ sign, size, isMaskable }),
  width: size,
  height: size,
});

const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const { name, size, isMaskable } of icons) {
  writeFileSync(join(folder, name), await draw(browser, square(size, isMaskable)));
}
writeFileSync(join(folder, "favicon.ico"), iconFile(await draw(browser, square(32, false)), 32));
const card = { html: socialCardMarkup({ sign, font }), width: 1200, height: 630 };
writeFileSync(join(folder, "social-card.png"), await draw(browser, card));
await browser.close();
