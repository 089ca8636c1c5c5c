import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type FirewallAnswers, openFirewall, refused } from "./firewall-stage.ts";
import * as data from "./shots/firewall-answers.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

const open = (answers: FirewallAnswers) => openFirewall(stage, { answers });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, words: string) => page.getByRole("status").getByText(words).waitFor();

/** The milliseconds left of a span that begins when it is asked for first, however long the page took to open. */
const countDown = (spanMs: number) => {
  let end: number | null = null;
  return () => {
    end ??= Date.now() + spanMs;
    return end - Date.now();
  };
};

describe("a change on trial", () => {
  test("counts down over every sub-page, survives a reload, and is kept by one press", async () => {
    let isKept = false;
    const { page, context, calls, complaints } = await open({
      "GET /config": () => data.config(isKept ? { revision: 14 } : { pending: data.pending }),
      "POST /confirm": ({ body }) => {
        isKept = JSON.stringify(body) === '{"revision":13}';
        return data.config();
      },
    });
    const banner = page.getByRole("region", { name: "Pending change" });
    await banner.getByText("Reverts in 1:1").waitFor();
    await said(page, "Confirm it within 74 seconds to keep it.");
    await page.getByRole("link", { name: "Bans", exact: true }).click();
    await page.waitForURL("**/admin/firewall/bans");
    await banner.waitFor();
    await page.reload();
    await banner.getByText(/Reverts in 1:0\d|Reverts in 1:1\d/).waitFor();
    await button(page, "Keep these rules").click();
    await banner.waitFor({ state: "detached" });
    await page.getByText("The change was kept.").waitFor();
    expect(calls.filter((call) => call === "POST /confirm")).toHaveLength(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("is told aloud when 30 seconds are left", async () => {
    const leftMs = countDown(33_000);
    const { page, context } = await open({
      "GET /config": () => data.config({ pending: { ...data.pending, leftMs: leftMs() } }),
    });
    await said(page, "30 seconds left to confirm the change.");
    await context.close();
  });

  test("that was not confirmed is reverted automatically, and the page says so", async () => {
    const left = countDown(5_000);
    const { page, context } = await open({
      "GET /config": () => {
        const leftMs = left();
        return data.config(leftMs > 0 ? { pending: { ...data.pending, leftMs } } : { revision: 14 });
      },
    });
    await page.getByText("Your change is waiting to be confirmed").waitFor();
    await page.getByText("The change was not confirmed in time and was reverted.").waitFor();
    await page.getByText("waiting to be confirmed").waitFor({ state: "detached" });
    await context.close();
  });

  test("that locks the admin out says that it reverts automatically, and keeps the link back visible", async () => {
    let isShutOut = false;
    const { page, context } = await open({
      "GET /config": () =>
        isShutOut
          ? refused(403, "REQUEST_BLOCKED", "Blocked by the firewall")
          : data.config({ pending: data.pending }),
      "POST /confirm": () => refused(403, "REQUEST_BLOCKED", "Blocked by the firewall"),
    });
    await page.getByText("Your change is waiting to be confirmed").waitFor();
    isShutOut = true;
    await button(page, "Keep these rules").click();
    await page.getByText("With this change, the firewall blocks you.", { exact: false }).waitFor();
    expect(await button(page, "Revert now").count()).toBe(1);
    await context.close();
  });
});
