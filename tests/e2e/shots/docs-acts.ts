import type { Act } from "./acts.ts";

/** Looks for something, and sees where it is. */
export const search: Act = async (page, go) => {
  await go();
  await page.keyboard.press("/");
  await page.keyboard.type("backup");
  await page.getByRole("option").first().waitFor();
};

/** Looks for something that is nowhere. */
export const searchInVain: Act = async (page, go) => {
  await go();
  await page.getByRole("combobox").fill("zeppelin");
  await page.locator("#count", { hasText: "No results" }).waitFor();
};

/** Opens the list of chapters, which stands beside the text only where there is room. */
export const openChapters: Act = async (page, go) => {
  await go();
  await page.getByRole("button", { name: "Chapters" }).click();
  await page.getByRole("navigation", { name: "Chapters", exact: true }).waitFor();
};
