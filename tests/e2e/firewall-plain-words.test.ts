import { afterAll, beforeAll, expect, test } from "bun:test";
import type { View } from "../driver/browser.ts";
import { type FirewallAnswers, openFirewall, refused } from "./firewall-stage.ts";
import { comesTo } from "./live.ts";
import * as data from "./shots/firewall-answers.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

const open = (path: string, answers: FirewallAnswers = {}, view: Partial<View> = {}) =>
  openFirewall(stage, { path, answers, view });

test("an import that is refused leaves no promise behind, and its report fits the dialog", async () => {
  const report = { added: 1, known: 0, refused: 1, revision: 12, obstacle: null };
  const line = { line: 2, outcome: "refused", range: "2001:db8:1234:5678:9abc:def0:1234:5678/129" };
  const { page, context } = await open("/addresses", {
    "POST /addresses/import": ({ body }) =>
      Object(body).isTrial === true
        ? { ...report, lines: [{ ...line, message: "Please enter an IP address or a CIDR range" }] }
        : refused(409, "OWN_ADDRESS", "This would lock you out."),
  });
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Or paste it here").fill("198.51.100.1\nnonsense");
  await dialog.getByRole("button", { name: "Check" }).click();
  await dialog.getByText("1 will be added", { exact: false }).waitFor();
  const table = dialog.locator("table");
  const hidden = await table.evaluate((element) => {
    const frame = element.closest(".max-h-64");
    return frame === null ? null : frame.scrollWidth - frame.clientWidth;
  });
  expect(hidden).toBe(0);
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("This would lock you out.", { exact: false }).waitFor();
  await dialog.getByText("1 will be added", { exact: false }).waitFor({ state: "detached" });
  await context.close();
});

test("an import whose trial finds the own address cannot be run", async () => {
  const obstacle = "This can't be imported because it would lock you out.";
  const { page, context } = await open("/addresses", {
    "POST /addresses/import": () => ({
      ...{ added: 1, known: 0, refused: 1, revision: 12, obstacle },
      lines: [{ line: 1, outcome: "refused", range: "127.0.0.1", message: "Would lock you out" }],
    }),
  });
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Or paste it here").fill("127.0.0.1\n198.51.100.1");
  await dialog.getByRole("button", { name: "Check" }).click();
  await dialog.getByText(obstacle).waitFor();
  expect(await dialog.getByRole("button", { name: "Import", exact: true }).count()).toBe(0);
  await context.close();
});

test("a request that passed opens without asking for an explanation that was never recorded", async () => {
  const { page, context, calls } = await open("/traffic?verdict=passed");
  await page.getByRole("table", { name: "Requests" }).getByRole("button").first().click();
  await page.getByRole("dialog").getByText("No rule matched this request.").waitFor();
  await page.reload();
  await page.getByRole("dialog").getByText("No rule matched this request.").waitFor();
  expect(calls.filter((call) => call.includes("/explain/"))).toEqual([]);
  await context.close();
});

test("while the server is away a switch says so and can be tried again, and the page tells how old it is", async () => {
  let isSaved = false;
  const { page, context } = await open("", {
    "GET /config": () => data.config({ developmentModeEnabled: isSaved }),
    "PUT /config": () => {
      isSaved = true;
      return data.config({ developmentModeEnabled: true });
    },
  });
  const development = page.getByRole("switch", { name: "Development mode" });
  await development.waitFor();
  await page.route(/\/api\/firewall\/config/, (route) => route.abort("connectionrefused"));
  await development.click();
  await page.getByRole("alert").getByText("The server can't be reached", { exact: false }).waitFor();
  await page.getByText("This page shows data from", { exact: false }).waitFor();
  await page.unroute(/\/api\/firewall\/config/);
  await page.getByRole("button", { name: "Try again" }).last().click();
  await page.getByText("This page shows data from", { exact: false }).waitFor({ state: "detached" });
  await comesTo(() => development.getAttribute("aria-checked"), "true");
  await context.close();
});

test("in a narrow window the current part is in sight, and arrows lead to the others", async () => {
  const { page, context } = await open("/bans", {}, { width: 320 });
  const parts = page.getByRole("navigation", { name: "Firewall pages" });
  const placeOf = (name: string) =>
    parts.getByRole("link", { name, exact: true }).evaluate((link) => {
      const { left, right } = link.getBoundingClientRect();
      return left >= 44 && right <= innerWidth - 44;
    });
  await page.getByRole("button", { name: "Show previous pages" }).waitFor();
  await comesTo(() => placeOf("Bans"), true);
  await page.getByRole("button", { name: "Show more pages" }).click();
  await page.getByRole("button", { name: "Show more pages" }).waitFor({ state: "detached" });
  await context.close();
});
