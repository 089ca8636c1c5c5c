import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "#api/testing/until.ts";
import { apiPageTexts as texts } from "#ui/api-page/texts.ts";
import { axeFindings, colourRules, roomRules } from "./axe-findings.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { openLive, settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

/** Opens the page with one call unfolded, which is named as in addresses: `Accounts/getAuthUser`. */
const openCall = async (page: Page, call: string) => {
  await openLive(page, `${stage.url}/swagger#/${call}`);
  const unfolded = page.locator(".opblock.is-open");
  await unfolded.locator(".responses-table").waitFor();
  return unfolded;
};

/** Folds the call that is unfolded, and unfolds another one in its place. */
const unfoldInstead = async (page: Page, operation: string) => {
  const folded = page.locator(`.opblock[id$="-${operation}"]`);
  const open = page.locator(".opblock.is-open .opblock-summary-control");
  if ((await open.count()) > 0) await open.click();
  // Calls far below are drawn once they are scrolled to.
  await until(async () => {
    if ((await folded.count()) > 0) return true;
    await page.mouse.wheel(0, 800);
    return false;
  });
  await folded.locator(".opblock-summary-control").click();
  await folded.locator(".responses-table").waitFor();
  return page.locator(".opblock.is-open");
};

const tryOut = (page: Page) => page.locator(".opblock.is-open").getByRole("button", { name: "Try it out" });
const execute = (page: Page) => page.locator(".opblock.is-open").getByRole("button", { name: "Execute" });
const answered = (page: Page) => page.locator(".live-responses-table .response");

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe("the page that describes the API", () => {
  test("fits 320, 768 and 1280 px, and has no finding of WCAG 2.2 A and AA in either theme with a call tried out", async () => {
    const { page, complaints, foreign } = await stage.open("user");
    const atEachWidth = async (look: (width: number) => Promise<void>) => {
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await settle(page);
        expect([width, await overflow(page)]).toEqual([width, 0]);
        await look(width);
      }
    };
    await openLive(page, `${stage.url}/swagger`);
    await atEachWidth(async () => {});
    await unfoldInstead(page, "putAccountName");
    await tryOut(page).click();
    await page.locator(".opblock.is-open textarea").fill('{"name": "Grace Hopper"}');
    await execute(page).click();
    await answered(page).waitFor();
    // All that is around the call is looked at with the other pages, in accessibility.test.ts.
    const within = ".opblock.is-open";
    await atEachWidth(async (width) => {
      expect([width, await axeFindings(page, { within, rules: roomRules })]).toEqual([width, []]);
    });
    expect(await axeFindings(page, { within })).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark").waitFor();
    await settle(page);
    expect(await axeFindings(page, { within, rules: colourRules })).toEqual([]);
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test("sends requests as the signed-in user, changes included, under the rule against forged requests", async () => {
    const { page, context } = await stage.open("user");
    await openCall(page, "Accounts/getAuthUser");
    await tryOut(page).click();
    await execute(page).click();
    await answered(page).filter({ hasText: "grace@" }).waitFor();
    await unfoldInstead(page, "putAccountName");
    await tryOut(page).click();
    await page.locator(".opblock.is-open textarea").fill('{"name": "Grace B. Hopper"}');
    await execute(page).click();
    await answered(page).filter({ hasText: '"success": true' }).waitFor();
    const me = await context.request.get(`${stage.url}/api/auth/user`);
    expect(await me.json()).toMatchObject({ name: "Grace B. Hopper" });
  });

  test("can be used by keyboard alone, from a call's name to the answer", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/swagger`);
    await tabTo(page, texts.filter);
    await page.keyboard.type("System");
    await page.locator("[data-tag=Accounts]").waitFor({ state: "detached" });
    await pressAt(page, "GET/api/healthWhether the process is alive");
    await pressAt(page, "Try it out");
    await pressAt(page, "Execute");
    await answered(page).locator(".response-col_status").filter({ hasText: /^200/ }).waitFor();
  });

  test("says of each call who may make it, and asks for nothing but tokens", async () => {
    const { page } = await stage.open("visitor");
    const first = await openCall(page, "Users/getAdminUsers");
    const whoMay = (unfolded: Locator) => unfolded.locator(".opblock-description").textContent();
    expect(await whoMay(first)).toStartWith(texts.adminsAndTokens("users:read"));
    expect(await whoMay(await unfoldInstead(page, "postSystemSnapshots"))).toStartWith(texts.operator);
    await page.locator(".auth-wrapper .authorize").first().click();
    await page.locator(".dialog-ux h4").nth(1).waitFor();
    expect(await page.locator(".dialog-ux h4").allTextContents()).toEqual([
      expect.stringMatching(/^token\s+\(http, Bearer\)$/),
      expect.stringMatching(/^metrics\s+\(http, Bearer\)$/),
    ]);
  });

  test("asks for the description without waiting for its script", async () => {
    const { page } = await stage.open("visitor");
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await page.route("**/assets/api-page-*.js", async (route) => {
      const described = await page.waitForResponse("**/swagger/json");
      expect(described.status()).toBe(200);
      await route.fallback();
    });
    await openLive(page, `${stage.url}/swagger`);
    expect(asked.filter((path) => path === "/swagger/json")).toHaveLength(1);
  });

  test("allows no third-party script or style, and says so when the description cannot be loaded", async () => {
    const { page } = await stage.open("visitor");
    await page.route("**/swagger/json", (route) => route.abort());
    const answer = await page.goto(`${stage.url}/swagger`);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    await page.getByRole("status").getByText(texts.failed).waitFor();
  });

  test("says after too many requests how long to wait, and shows the calls when tried again", async () => {
    const { page } = await stage.open("visitor", { width: 320 });
    await page.route("**/swagger/json", (route) =>
      route.fulfill({ status: 429, headers: { "Retry-After": "200" }, json: {} }),
    );
    await openLive(page, `${stage.url}/swagger`);
    const notice = page.getByRole("status").getByText(texts.tooMany);
    expect(await notice.textContent()).toEndWith("Please try again in 4 minutes.");
    expect(await overflow(page)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: texts.tryAgain }).press("Enter");
    await page.locator(".opblock").first().waitFor();
    await page.getByRole("button", { name: texts.tryAgain }).waitFor({ state: "hidden" });
  });
});
