import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openLive } from "./live.ts";
import { manyListedUsers } from "./shots/many-users.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const calls = "**/api/admin/users?**";
const range = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();

/** The list of users as an admin sees it, with 300 of them. */
const openList = async (width = 1280) => {
  const visit = await stage.open("admin", { width });
  const { page } = visit;
  await page.route(calls, (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: manyListedUsers({ limit, offset }) } });
  });
  await openLive(page, `${stage.url}/admin/users`);
  return visit;
};

describe("an admin page that was opened while the server was away", () => {
  test("shows its content automatically once the server is back", async () => {
    const { page } = await stage.open("admin");
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${stage.url}/admin`);
    await page.getByRole("main").getByRole("alert").first().waitFor();
    await page.unroute("**/api/**");
    await page.getByRole("main").getByText("ada@example.test").filter({ visible: true }).first().waitFor();
    await page.getByRole("main").getByRole("alert").first().waitFor({ state: "detached" });
  });
});

describe("the list of users", () => {
  test("goes with Back and Forward, and comes back as it was after a reload", async () => {
    const { page } = await openList();
    for (const words of ["26–50 of 300", "51–75 of 300"]) {
      await page.getByRole("button", { name: "Next" }).click();
      await range(page, words);
    }
    await page.goBack();
    await range(page, "26–50 of 300");
    await page.goForward();
    await range(page, "51–75 of 300");
    await page.reload();
    await range(page, "51–75 of 300");
  });

  for (const width of [390, 1280]) {
    test(`each page begins at its top at ${width} px`, async () => {
      const { page } = await openList(width);
      await range(page, "1–25 of 300");
      await page.getByRole("row").last().scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Next" }).click();
      await range(page, "26–50 of 300");
      const first = page.getByRole("row").nth(1);
      await page.waitForFunction(() => window.scrollY === 0);
      const { y = -1 } = (await first.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(200);
    });
  }
});
