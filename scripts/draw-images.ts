import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { homeTexts } from "#ui/features/site/texts.ts";
import { projectRoot } from "./project-root.ts";

/** A Windows icon that holds one square PNG picture of `size` pixels, at most 255. */
const iconFile = (png: Uint8Array, size: number): Uint8Array => {
  const header = new DataView(new ArrayBuffer(22));
  header.setUint16(2, 1, true);
  header.setUint16(4, 1, true);
  header.setUint8(6, size);
  header.setUint8(7, size);
  header.setUint16(10, 1, true);
  header.setUint16(12, 32, true);
  header.setUint32(14, png.byteLength, true);
  header.setUint32(18, header.byteLength, true);
  return Buffer.concat([new Uint8Array(header.buffer), png]);
};

type Icon = {
  /** The sign as SVG, on its own rounded tile. */
  sign: string;
  /** Edge in pixels. */
  size: number;
  /** Fills the whole square with the tile's color and keeps the sign in the middle 80 percent. */
  isMaskable: boolean;
};

/** A page that shows nothing but the sign, ready to be photographed. */
const iconMarkup = ({ sign, size, isMaskable }: Icon): string => {
  const edge = isMaskable ? Math.round(size * 0.86) : size;
  const ground = isMaskable ? "#0f766e" : "transparent";
  return `<!doctype html><style>
    * { margin: 0 }
    body { width: ${size}px; height: ${size}px; display: grid; place-items: center; background: ${ground} }
    svg { width: ${edge}px; height: ${edge}px }
  </style>${sign}`;
};

type SocialCard = {
  /** The sign as SVG. */
  sign: string;
  /** The product's font, woff2 in base64. */
  font: string;
};

/** The picture beside a shared link, 1200 by 630: sign, name, the landing page's words, and a corner of the admin area. */
const socialCardMarkup = ({ sign, font }: SocialCard): string => `<!doctype html>
<style>
  @font-face { font-family: Inter; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) format("woff2") }
  * { margin: 0; box-sizing: border-box }
  body { width: 1200px; height: 630px; overflow: hidden; position: relative; background: #fcfbf9; color: #1f1b17;
         font-family: Inter; -webkit-font-smoothing: antialiased }
  .words { padding: 76px 0 0 84px; width: 1000px }
  .brand { display: flex; align-items: center; gap: 16px; font-weight: 600; font-size: 32px; letter-spacing: -0.02em }
  .brand svg { width: 48px; height: 48px }
  h1 { margin-top: 44px; font-weight: 650; font-size: 84px; line-height: 1.02; letter-spacing: -0.035em; text-wrap: balance; width: 800px }
  .panel { position: absolute; left: 84px; top: 418px; width: 1032px; height: 300px; border: 1px solid #e1ddd9; border-radius: 16px;
           background: #fff; box-shadow: 0 -10px 60px -20px #1f1b1733; display: grid; grid-template-columns: 200px 1fr }
  .side { background: #f7f5f3; border-right: 1px solid #e1ddd9; border-radius: 16px 0 0; padding: 28px 20px; display: grid; gap: 12px; align-content: start }
  .side p { height: 40px; border-radius: 8px; padding: 0 14px; display: flex; align-items: center; font-size: 20px; color: #69625b }
  .side p:first-child { background: #ebe7e2; color: #1f1b17; font-weight: 600 }
  .tiles { padding: 28px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px; align-content: start }
  .tiles div { border: 1px solid #e1ddd9; border-radius: 12px; padding: 20px 22px; height: 150px }
  .tiles span { font-size: 20px; color: #69625b }
  .tiles b { display: block; margin-top: 10px; font-size: 36px; font-weight: 600; letter-spacing: -0.02em }
  .tiles i { display: inline-block; width: 12px; height: 12px; border-radius: 50%; background: #0f766e; margin-right: 12px }
</style>
<div class="words">
  <p class="brand">${sign}Atrium</p>
  <h1>${homeTexts.title}</h1>
</div>
<div class="panel">
  <div class="side"><p>Overview</p><p>Users</p></div>
  <div class="tiles">
    <div><span><i></i>Database</span><b>0.4 ms</b></div>
    <div><span><i></i>Mail</span><b>0 waiting</b></div>
    <div><span><i></i>Uptime</span><b>12d 4h</b></div>
  </div>
</div>`;

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
