import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openLive } from "./live.ts";
import { manyListedUsers } from "./shots/many-users.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

const calls = "**/api/admin/users?**";
const range = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();
const query = (page: Page) => new URL(page.url()).search;

/** The list of users as an admin sees it, with 300 of them; those asked for are written down. */
const openList = async (search = "", width = 1280) => {
  const visit = await stage.open("admin", { width });
  const { page } = visit;
  const asked: string[] = [];
  await page.route(calls, (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams.toString());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: manyListedUsers({ limit, offset }) } });
  });
  await openLive(page, `${stage.url}/admin/users${search}`);
  return { ...visit, asked };
};

describe("an admin page that was opened while the server was away", () => {
  for (const path of ["/admin", "/admin/users"]) {
    test(`${path} shows its content by itself once the server is back`, async () => {
      const { page, context } = await stage.open("admin");
      await page.route("**/api/**", (route) => route.abort());
      await page.goto(`${stage.url}${path}`);
      await page.getByRole("main").getByRole("alert").first().waitFor();
      await page.unroute("**/api/**");
      await page.getByRole("main").getByText("ada@example.test").filter({ visible: true }).first().waitFor();
      await page.getByRole("main").getByRole("alert").first().waitFor({ state: "detached" });
      await context.close();
    });
  }
});

describe("the list of users", () => {
  test("shows 25 of 300 at a time, and the page stands in the address", async () => {
    const { page, context, asked } = await openList();
    await range(page, "1–25 of 300");
    expect(await page.getByRole("row").count()).toBe(26);
    await page.getByRole("button", { name: "Next" }).click();
    await range(page, "26–50 of 300");
    expect(query(page)).toBe("?page=2");
    await page.getByRole("button", { name: "Previous" }).click();
    await range(page, "1–25 of 300");
    expect(query(page)).toBe("");
    expect(asked).toEqual(["limit=25&offset=0", "limit=25&offset=25", "limit=25&offset=0"]);
    await context.close();
  });

  test("goes with Back and Forward, and comes back as it was after a reload", async () => {
    const { page, context } = await openList();
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
    await context.close();
  });

  test("a search begins at the first page and is no step of its own for Back", async () => {
    const { page, context, asked } = await openList("?page=3");
    await range(page, "51–75 of 300");
    await page.getByLabel("Search").fill("  grace & co  ");
    await page.waitForURL("**/admin/users?search=grace+%26+co");
    await range(page, "1–25 of 300");
    expect(asked.at(-1)).toBe("limit=25&offset=0&search=grace+%26+co");
    await page.getByRole("banner").getByRole("link", { name: "About" }).click();
    await page.waitForURL("**/about");
    await page.goBack();
    await range(page, "1–25 of 300");
    expect(await page.getByLabel("Search").inputValue()).toBe("grace & co");
    await context.close();
  });

  test("the last page keeps the focus on Next, which leads nowhere", async () => {
    const { page, context, asked } = await openList("?page=11");
    await page.getByRole("button", { name: "Next" }).press("Enter");
    await range(page, "276–300 of 300");
    await page.locator("button[aria-disabled=true]:focus").filter({ hasText: "Next" }).waitFor();
    await page.keyboard.press("Enter");
    expect(asked).toHaveLength(2);
    expect(query(page)).toBe("?page=12");
    await context.close();
  });

  for (const width of [390, 1280]) {
    test(`each page begins at its top at ${width} px`, async () => {
      const { page, context } = await openList("", width);
      await range(page, "1–25 of 300");
      await page.getByRole("row").last().scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Next" }).click();
      await range(page, "26–50 of 300");
      const first = page.getByRole("row").nth(1);
      await page.waitForFunction(() => window.scrollY === 0);
      const { y = -1 } = (await first.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(200);
      await context.close();
    });
  }

  for (const [page, words] of [
    ["0", "1–25 of 300"],
    ["-1", "1–25 of 300"],
    ["1.5", "1–25 of 300"],
    ["two", "1–25 of 300"],
    ["99999999999999999999", "1–25 of 300"],
  ] as const) {
    test(`page=${page} counts as the first`, async () => {
      const visit = await openList(`?page=${page}`);
      await range(visit.page, words);
      await visit.context.close();
    });
  }

  test("a page past the last says so and leads back to the last", async () => {
    const { page, context } = await openList("?page=40");
    await page.getByText("There are not that many users").waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await range(page, "276–300 of 300");
    await context.close();
  });
});

describe("the list of users without an answer", () => {
  test("shows its shape while it waits, and what it found when it comes", async () => {
    const { page, context } = await stage.open("admin");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(calls, async (route) => {
      await promise;
      await route.continue();
    });
    await openLive(page, `${stage.url}/admin/users`);
    await page.getByLabel("Loading users").waitFor();
    resolve();
    await range(page, "1–2 of 2");
    expect(await page.getByLabel("Loading users").count()).toBe(0);
    await context.close();
  });

  test("says what went wrong, and tries again when asked to", async () => {
    const { page, context } = await stage.open("admin");
    const body = { success: false, code: "DB_UNAVAILABLE", message: "The database is restarting." };
    await page.route(calls, (route) => route.fulfill({ status: 503, json: body }));
    await openLive(page, `${stage.url}/admin/users`);
    await page.getByRole("alert").getByText("Access Error").waitFor();
    await page.getByText("Failed to load admin data: 503 Service Unavailable").waitFor();
    expect(await page.getByRole("link", { name: "Return to Dashboard" }).getAttribute("href")).toBe(
      "/dashboard",
    );
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await range(page, "1–2 of 2");
    expect(await page.getByText("Access Error").count()).toBe(0);
    await context.close();
  });

  test("keeps what it has while a later page does not come", async () => {
    const { page, context } = await openList();
    await range(page, "1–25 of 300");
    await page.route(calls, (route) => route.abort());
    await page.getByRole("button", { name: "Next" }).click();
    await page
      .getByText("The server cannot be reached. What you see may be out of date.", { exact: true })
      .waitFor();
    expect(await page.getByText("Access Error").count()).toBe(0);
    expect(await page.getByRole("row").count()).toBe(26);
    await context.close();
  });

  test("says that nobody was found, and for what", async () => {
    const { page, context } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/users?search=nobody%20%3Cb%3E`);
    await page.getByText("No users found").waitFor();
    await page.getByText("Nobody's name or e-mail contains “nobody <b>”.").waitFor();
    await context.close();
  });
});
