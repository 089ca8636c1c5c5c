import type { Page } from "playwright-core";
import { until } from "#api/testing/until.ts";

declare global {
  // Set by the page itself in pictures only, so that nothing is photographed before it answers to its reader.
  var isLive: boolean | undefined;
}

/** Makes each document of the page note when it answers to its reader. */
export const noteLive = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    document.addEventListener("atrium:ready", () => {
      globalThis.isLive = true;
    });
  });
};

/** Opens an address and waits until the page answers to its reader. */
export const openLive = async (page: Page, url: string): Promise<void> => {
  await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => globalThis.isLive === true);
};

/** Waits until nothing moves any more: fonts and pictures are there, transitions have ended. */
export const settle = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // One that has ended is still named where its last picture stays.
    const isPassing = ({ effect, playState }: Animation) =>
      playState !== "finished" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const passing = () => document.getAnimations().filter(isPassing);
    // What inherits a colour begins to change when its parent has changed.
    for (let moving = passing(); moving.length > 0; moving = passing())
      await Promise.allSettled(moving.map(({ finished }) => finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
};

/** As long as the driver waits for an element. */
const patienceMs = 30_000;

/** Waits until what is read of a page equals `expected`: the page may be about to change when it is read first. */
export const comesTo = async <T>(read: () => T | Promise<T>, expected: NoInfer<T>): Promise<void> => {
  let last: T | undefined;
  await until(async () => {
    last = await read();
    return Bun.deepEquals(last, expected);
  }, patienceMs).catch((cause: unknown) => {
    throw new Error(`${JSON.stringify(last)} instead of ${JSON.stringify(expected)}`, { cause });
  });
};
