import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { apiPageTexts as texts } from "#ui/api-page/texts.ts";
import { axeFindings } from "./axe-findings.ts";
import { pressAt, tabTo } from "./keyboard.ts";
import { openLive, settle } from "./live.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

/** Opens the page with one call unfolded, which is named as in addresses: `Accounts/getAuthUser`. */
const openCall = async (page: Page, call: string) => {
  await openLive(page, `${stage.url}/swagger#/${call}`);
  const unfolded = page.locator(".opblock.is-open");
  await unfolded.locator(".responses-table").waitFor();
  return unfolded;
};

const tryOut = (page: Page) => page.locator(".opblock.is-open").getByRole("button", { name: "Try it out" });
const execute = (page: Page) => page.locator(".opblock.is-open").getByRole("button", { name: "Execute" });
const answered = (page: Page) => page.locator(".live-responses-table .response");

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe("the page that describes the API", () => {
  for (const width of [320, 768, 1280])
    test(`fits ${width} px, and has no finding of WCAG 2.2 A and AA in either theme with a call tried out`, async () => {
      const { page, context, complaints, foreign } = await stage.open("user", { width });
      await openLive(page, `${stage.url}/swagger`);
      expect(await overflow(page)).toBe(0);
      await page.goto("about:blank");
      await openCall(page, "Own%20account/putAccountName");
      await tryOut(page).click();
      await page.locator(".opblock.is-open textarea").fill('{"name": "Grace Hopper"}');
      await execute(page).click();
      await answered(page).waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await settle(page);
        expect([colorScheme, await axeFindings(page), await overflow(page)]).toEqual([colorScheme, [], 0]);
      }
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
      await context.close();
    });

  test("tries calls out as whoever is signed in, changes included, under the rule against forged calls", async () => {
    const { page, context } = await stage.open("user");
    await openCall(page, "Accounts/getAuthUser");
    await tryOut(page).click();
    await execute(page).click();
    expect(await answered(page).textContent()).toContain("grace@");
    await page.goto("about:blank");
    await openCall(page, "Own%20account/putAccountName");
    await tryOut(page).click();
    await page.locator(".opblock.is-open textarea").fill('{"name": "Grace B. Hopper"}');
    await execute(page).click();
    expect(await answered(page).textContent()).toContain('"success": true');
    const me = await context.request.get(`${stage.url}/api/auth/user`);
    expect(await me.json()).toMatchObject({ name: "Grace B. Hopper" });
    await context.close();
  });

  test("can be used by keyboard alone, from a call's name to the answer", async () => {
    const { page, context } = await stage.open("visitor");
    await openLive(page, `${stage.url}/swagger`);
    await tabTo(page, texts.filter);
    await page.keyboard.type("System");
    await page.locator("[data-tag=Accounts]").waitFor({ state: "detached" });
    await pressAt(page, "GET/api/healthWhether the process is alive");
    await pressAt(page, "Try it out");
    await pressAt(page, "Execute");
    expect(await answered(page).locator(".response-col_status").textContent()).toStartWith("200");
    await context.close();
  });

  test("says of each call who may make it, and asks for nothing but tokens", async () => {
    const { page, context } = await stage.open("visitor");
    const calls = {
      "Users/getAdminUsers": texts.adminsAndTokens("users:read"),
      "System/postSystemSnapshots": texts.operator,
    };
    for (const [call, words] of Object.entries(calls)) {
      await page.goto("about:blank");
      const unfolded = await openCall(page, call);
      expect(await unfolded.locator(".opblock-description").textContent()).toStartWith(words);
    }
    await page.locator(".auth-wrapper .authorize").first().click();
    expect(await page.locator(".dialog-ux h4").allTextContents()).toEqual([
      expect.stringMatching(/^token\s+\(http, Bearer\)$/),
      expect.stringMatching(/^metrics\s+\(http, Bearer\)$/),
    ]);
    await context.close();
  });

  test("asks for the description without waiting for its script", async () => {
    const { page, context } = await stage.open("visitor");
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await page.route("**/assets/api-page-*.js", async (route) => {
      const described = await page.waitForResponse("**/swagger/json");
      expect(described.status()).toBe(200);
      await route.fallback();
    });
    await openLive(page, `${stage.url}/swagger`);
    expect(asked.filter((path) => path === "/swagger/json")).toHaveLength(1);
    await context.close();
  });

  test("allows no script or style of anybody else's, and says so when the description cannot be read", async () => {
    const { page, context } = await stage.open("visitor");
    await page.route("**/swagger/json", (route) => route.abort());
    const answer = await page.goto(`${stage.url}/swagger`);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    await page.getByRole("status").getByText(texts.failed).waitFor();
    await context.close();
  });
});
