import { failure } from "./answers.ts";
import { manyListedUsers } from "./many-users.ts";
import type { Step } from "./steps.ts";

/** What somebody does before a picture is taken. */
export type Act = Step;

export const nothing: Act = async (_, go) => go();

export const adminHangs: Act = async (page, go) => {
  await page.route(/\/api\/(admin|system)/, () => {});
  await go();
  await page.locator("[aria-busy=true]").first().waitFor();
};

export const adminFails: Act = async (page, go) => {
  await page.route(/\/api\/(admin|system)/, failure(503, "DB_UNAVAILABLE", "The database is restarting."));
  await go();
  await page.getByText("Access Error").waitFor();
};

export const manyUsers: Act = async (page, go) => {
  await page.route("**/api/admin/users?**", (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: manyListedUsers({ limit, offset }) } });
  });
  await go();
  await page.getByRole("row").nth(5).waitFor();
};
