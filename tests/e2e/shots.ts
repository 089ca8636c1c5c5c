import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { View } from "../driver/browser.ts";
import { openScene } from "./shots/open-scene.ts";
import { scenes } from "./shots/scenes.ts";
import type { Scene } from "./shots/steps.ts";
import { openStage, type Viewer } from "./stage.ts";

/**
 * Writes a picture of every page and of the moments between them, at three widths in both themes, into `shots/`.
 * The only argument picks those whose name holds it.
 */
const folder = join(import.meta.dir, "..", "..", "shots");
const wanted = process.argv[2] ?? "";
const atOnce = 2;

mkdirSync(folder, { recursive: true });
const stage = await openStage();

/** One window for everything that somebody looks at. */
const shootAs = async (who: Viewer, view: View) => {
  const mine = scenes.filter(
    (scene) => scene.who === who && scene.name.includes(wanted) && view.width <= (scene.maxWidth ?? Infinity),
  );
  if (mine.length === 0) return;
  const { page, context } = await stage.open(who, view);
  for (const scene of mine) await shoot(page, scene, view);
  await context.close();
};

const shoot = async (page: Page, scene: Scene, { width, theme }: View) => {
  const path = join(folder, `${scene.name}-${width}-${theme}.png`);
  try {
    await openScene(page, stage.url, scene);
    await page.screenshot({ path, fullPage: scene.steps === undefined });
  } catch (error) {
    process.exitCode = 1;
    console.error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
};

const views = (["light", "dark"] as const).flatMap((theme) =>
  [390, 768, 1280].map((width) => ({ width, theme })),
);
const viewers: Viewer[] = ["visitor", "user", "admin"];
const queue = views.flatMap((view) => viewers.map((who) => () => shootAs(who, view)));
const work = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
};
await Promise.all(Array.from({ length: atOnce }, work));
await stage.close();
console.log(`pictures are in ${folder}`);
