import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { noteLive, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const list = "/admin/users?search=grace";
const told = (page: Page) =>
  page.getByRole("alert").getByText("You were signed out. Sign in to continue.", { exact: true }).waitFor();

/** The list with Grace's address in it, as the admin sees it. */
const openList = async () => {
  const visit = await stage.open("admin");
  await openLive(visit.page, `${stage.url}${list}`);
  await visit.page.getByRole("row").filter({ hasText: "grace@example.test" }).waitFor();
  return visit;
};

/** Signs in on the page and waits to be where it was before. */
const signInAgain = async (page: Page) => {
  await page.getByLabel("Email", { exact: true }).fill("ada@example.test");
  await page.getByLabel("Password", { exact: true }).fill("a rather fine long password");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL(`${stage.url}${list}`);
  await page.getByRole("row").filter({ hasText: "grace@example.test" }).waitFor();
};

describe("a page whose session has ended", () => {
  test("in another tab no longer shows data, says why, and returns after signing in", async () => {
    const { page, context, complaints } = await openList();
    const other = await context.newPage();
    await noteLive(other);
    await openLive(other, `${stage.url}/dashboard`);
    await other.getByRole("main").getByRole("button", { name: "Logout" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("**/login?from=*");
    await told(page);
    expect(await page.content()).not.toContain("grace@example.test");
    // Whoever signs out by hand is at the landing page, and needs no explanation.
    await other.waitForURL(`${stage.url}/`);
    expect(await other.getByText("You were signed out").count()).toBe(0);
    await signInAgain(page);
    expect(complaints).toEqual([]);
  });
});

describe("a page whose session was ended elsewhere", () => {
  const openEnded = async () => {
    const visit = await stage.open("visitor");
    await openLive(visit.page, `${stage.url}/login?from=${encodeURIComponent(list)}`);
    await signInAgain(visit.page);
    const ended = await visit.page.request.post(`${stage.url}/api/auth/logout`, {
      headers: { origin: stage.url },
    });
    expect(ended.status()).toBe(200);
    return visit;
  };

  test("finds out when its reader comes back to it", async () => {
    const { page } = await openEnded();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.waitForURL("**/login?from=*");
    await told(page);
    await signInAgain(page);
  });
});

describe("without JavaScript", () => {
  for (const path of ["/login", "/register", "/verify-email?token=any"]) {
    test(`${path} says that it is needed, and nothing that would never end`, async () => {
      const { context } = await stage.open("visitor");
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false });
      const page = await plain?.newPage();
      await page?.goto(`${stage.url}${path}`);
      // What is to be seen; text alone would count what is hidden.
      const words = (await page?.locator("main").allInnerTexts())?.join() ?? "";
      expect(words).toContain("This page needs JavaScript.");
      expect(words).not.toMatch(/Checking which|Verifying/);
      await plain?.close();
    });
  }
});
