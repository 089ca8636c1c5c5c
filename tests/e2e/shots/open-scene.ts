import type { Page } from "playwright-core";
import { openLive, settle } from "../live.ts";
import type { Scene } from "./scenes.ts";

/** Opens a scene at the server with this origin, lets it happen, and waits until nothing moves any more. */
export const openScene = async (page: Page, origin: string, { path, act }: Scene): Promise<void> => {
  const go = () => openLive(page, `${origin}${path}`);
  if (act === undefined) {
    await go();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  } else {
    await act(page, go);
  }
  await settle(page);
};
