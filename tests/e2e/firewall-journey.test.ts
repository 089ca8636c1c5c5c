import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { inOrder } from "#api/testing/in-order.ts";
import { comesTo, openLive } from "./live.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  const status = await page.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ enabled: true, consent: true });
    return (await fetch("/api/plugins/firewall/toggle", { method: "POST", headers, body })).status;
  });
  if (status !== 200) throw new Error(`the firewall could not be enabled: ${status}`);
  await context.close();
}, 90_000);

afterAll(() => stage.close());

const open = async (path = "") => {
  const visit = await stage.open("admin");
  await openLive(visit.page, `${stage.url}/admin/firewall${path}`);
  await visit.page.getByRole("navigation", { name: "Firewall pages" }).waitFor();
  return visit;
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const attack = `/about?q=${encodeURIComponent("1' OR 1=1 UNION SELECT password FROM users--")}`;

// Each changes the rules by which the next one is let through.
const step = inOrder();

step("an admin switches the firewall on, and finds out by its id why a visitor was blocked", async () => {
  const { page, context, complaints } = await open();
  await page.getByRole("switch", { name: "Firewall", exact: true }).click();
  await page.getByText("On", { exact: true }).waitFor();
  const visitor = await stage.open("visitor");
  const answer = await visitor.page.goto(`${stage.url}${attack}`);
  expect(answer?.status()).toBe(403);
  const id = answer?.headers()["x-atrium-block"] ?? "";
  expect(await visitor.page.locator("body").textContent()).toContain(id);
  await visitor.context.close();

  await page.getByRole("link", { name: "Explain", exact: true }).click();
  await page.getByLabel("Request ID").fill(id);
  await button(page, "Explain").click();
  await page.waitForURL(`**/admin/firewall/explain/${id}`);
  await page.getByRole("heading", { name: "Reasons" }).waitFor();
  await button(page, "Exempt this field").first().waitFor();

  await page.getByRole("link", { name: "Live traffic", exact: true }).click();
  const row = page.getByRole("table", { name: "Requests" }).getByRole("row", { name: /Blocked/ });
  await row.first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

step(
  "a denied range is on trial until it is kept, also across a reload, and can be reverted immediately",
  async () => {
    const { page, context } = await open("/addresses");
    const deny = async (range: string) => {
      await page.getByRole("button", { name: "Add IP address" }).first().click();
      await page.getByRole("dialog").getByLabel("IP address or range").fill(range);
      await page.getByRole("dialog").getByRole("button", { name: "Add IP address" }).click();
    };
    const trial = page.getByRole("region", { name: "Pending change" });
    const listed = (range: string) => page.getByRole("row", { name: new RegExp(range) });
    await deny("203.0.113.0/24");
    await listed("203.0.113.0/24").waitFor();
    await trial.getByText(/Reverts in 1:\d\d/).waitFor();
    await page.reload();
    await button(page, "Keep these rules").click();
    await trial.waitFor({ state: "detached" });
    await deny("198.51.100.0/24");
    await listed("198.51.100.0/24").waitFor();
    await button(page, "Revert now").click();
    await listed("198.51.100.0/24").waitFor({ state: "detached" });
    await trial.waitFor({ state: "detached" });
    await listed("203.0.113.0/24").waitFor();

    await deny("127.0.0.0/8");
    await page.getByRole("alert").getByText("This would lock you out", { exact: false }).waitFor();
    await context.close();
  },
);

step("a stricter level is tried on what came in before it is switched on", async () => {
  const { page, context } = await open("/replay");
  await page.getByLabel("Threshold").fill("60");
  await button(page, "Run on the last 24 hours").click();
  await page.getByText("Done", { exact: true }).waitFor();
  await button(page, "Apply draft").click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply draft" }).click();
  await page.getByText("The draft was applied.").waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).first().click();
  await openLive(page, `${stage.url}/admin/firewall`);
  await comesTo(() => page.getByLabel("Threshold").inputValue(), "60");
  await context.close();
});

step("an address is banned by hand and let in again", async () => {
  const { page, context } = await open("/bans");
  await button(page, "Ban an IP address").click();
  await page.getByRole("dialog").getByLabel("IP address").fill("203.0.113.9");
  await page.getByRole("dialog").getByRole("button", { name: "Ban an IP address" }).click();
  await button(page, "Lift the ban of 203.0.113.9").click();
  await page.getByText("No bans").waitFor();
  await context.close();
});
