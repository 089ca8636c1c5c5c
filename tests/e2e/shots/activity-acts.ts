import type { Page } from "playwright-core";
import { activityTexts } from "#contract/activity.ts";
import type { Act } from "./acts.ts";
import { failure, json } from "./answers.ts";
import { activity, activityDays, activityStats, manyActivities } from "./many-activities.ts";

const api = /\/api\/admin\/activity(?:\?|\/|$)/;

const stub = async (page: Page) => {
  await page.route(api, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const part = pathname.split("/")[4];
    return json(200, { success: true, data: dataOf(part, searchParams) })(route);
  });
};

const dataOf = (part: string | undefined, params: URLSearchParams) => {
  if (part === undefined)
    return manyActivities({ limit: Number(params.get("limit")), offset: Number(params.get("offset")) });
  if (part === "stats") return activityStats;
  if (part === "days") return activityDays(Number(params.get("days")));
  if (part === "retention") return { days: null };
  return activity(Number(part));
};

const table = (page: Page) => page.getByRole("table", { name: "Activities", exact: true });

export const many: Act = async (page, go) => {
  await stub(page);
  await go();
  await table(page).getByRole("row").nth(5).waitFor();
};

/** The table, where the window does not reach down to it. */
export const rows: Act = async (page, go) => {
  await many(page, go);
  await table(page).evaluate((element) => element.scrollIntoView());
};

export const filters: Act = async (page, go) => {
  await many(page, go);
  const show = page.getByRole("button", { name: "Show", exact: true });
  if (await show.isVisible()) await show.click();
  await page.getByRole("heading", { name: "Filters" }).evaluate((element) => element.scrollIntoView());
};

export const none: Act = async (page, go) => {
  await go();
  await page.getByText(activityTexts.none).scrollIntoViewIfNeeded();
};

export const details: Act = async (page, go) => {
  await many(page, go);
  await table(page).getByRole("row").nth(3).getByRole("button").click();
  await page.getByRole("dialog").getByText("trustProxy").waitFor();
};

export const exportMenu: Act = async (page, go) => {
  await many(page, go);
  await page.getByLabel("Formats to export").click();
};

export const cleanUp: Act = async (page, go) => {
  await many(page, go);
  await page.getByRole("button", { name: "Clean up" }).click();
  await page.getByText("will be deleted").waitFor();
  await page.getByLabel("Keep activities").waitFor();
};

export const cleanUpWrongly: Act = async (page, go) => {
  await cleanUp(page, go);
  await page.getByLabel("Older than").fill("0");
  await page.getByRole("dialog").getByRole("button", { name: "Clean up" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
};

export const failed: Act = async (page, go) => {
  const message = "The database is restarting.";
  await page.route(api, failure(503, "DB_UNAVAILABLE", message));
  await go();
  await page.getByText(message).scrollIntoViewIfNeeded();
};
