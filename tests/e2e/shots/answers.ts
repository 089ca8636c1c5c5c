import type { Page, Route } from "playwright-core";

/** Answers a call with this status and body, in pictures of states that the real server is rarely in. */
export const json = (status: number, body: object) => (route: Route) => route.fulfill({ status, json: body });

/** Answers a call with a failure's envelope. */
export const failure = (status: number, code: string, message: string, more: object = {}) =>
  json(status, { success: false, code, message, ...more });

/** Types into the fields with exactly these labels. */
export const fill = async (page: Page, fields: Record<string, string>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
};
