import type { Page } from "playwright-core";
import type { Act } from "./acts.ts";

/** Opens the page anew: from one of its calls to another, a browser only scrolls. */
const reopen = async (page: Page, go: () => Promise<void>) => {
  await page.goto("about:blank");
  await go();
};

/** A call that is named in the address, unfolded. */
export const unfolded: Act = async (page, go) => {
  await reopen(page, go);
  await page.locator(".opblock.is-open .responses-table").waitFor();
};

/** The same, tried out, with what was answered. */
export const tried: Act = async (page, go) => {
  await unfolded(page, go);
  const call = page.locator(".opblock.is-open");
  await call.getByRole("button", { name: "Try it out" }).click();
  await call.getByRole("button", { name: "Execute" }).click();
  await call.locator(".live-responses-table").waitFor();
};

/** The place for tokens. */
export const tokens: Act = async (page, go) => {
  await reopen(page, go);
  await page.getByRole("button", { name: "Authorize" }).first().click();
  await page.locator(".dialog-ux").waitFor();
};

/** The description cannot be read. */
export const failed: Act = async (page, go) => {
  await page.route("**/swagger/json", (route) => route.abort());
  await reopen(page, go);
};
