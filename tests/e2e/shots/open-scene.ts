import type { Page } from "playwright-core";
import { openLive, settle } from "../live.ts";
import type { Scene, Steps } from "./steps.ts";

/** Opens a scene at the server with this origin, lets it happen, and waits until nothing moves any more. */
export const openScene = async (page: Page, origin: string, { path, steps }: Scene): Promise<void> => {
  const go = () => openLive(page, `${origin}${path}`);
  if (steps === undefined) {
    await go();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  }
  await take(steps ?? [], page, go);
  await settle(page);
};

const take = async (steps: Steps, page: Page, go: () => Promise<void>): Promise<void> => {
  for (const step of steps) await (typeof step === "function" ? step(page, go) : take(step, page, go));
};
