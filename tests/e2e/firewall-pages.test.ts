import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { View } from "../driver/browser.ts";
import { type FirewallAnswers, openFirewall, refused } from "./firewall-stage.ts";
import { tabTo } from "./keyboard.ts";
import { comesTo, openLive } from "./live.ts";
import * as data from "./shots/firewall-answers.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 90_000);

afterAll(() => stage.close());

const open = (path: string, answers: FirewallAnswers = {}, view: Partial<View> = {}) =>
  openFirewall(stage, { path, answers, view });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("what is changed", () => {
  test("by a switch goes back when it is refused, with the reason beside it", async () => {
    const { page, context } = await open("", {
      "PUT /config": () => refused(503, "DB_UNAVAILABLE", "The database is restarting."),
    });
    const development = page.getByRole("switch", { name: "Development mode" });
    await development.click();
    await page.getByRole("alert").getByText("The database is restarting.").waitFor();
    await comesTo(() => development.getAttribute("aria-checked"), "false");
    await context.close();
  });

  test("by another admin in the meantime is loaded and announced, and unsaved input is not lost", async () => {
    const sent: unknown[] = [];
    let revision = 12;
    const { page, context } = await open("", {
      "GET /config": () => data.config({ revision, paranoiaLevel: revision === 12 ? 1 : 2 }),
      "PUT /config": ({ body }) => {
        sent.push(body);
        if (revision === 20) return data.config({ revision: 21 });
        revision = 20;
        return refused(409, "CONFLICT", "The rules were changed meanwhile.");
      },
    });
    await page.getByLabel("Threshold").fill("8");
    await button(page, "Save").click();
    await page.getByText("The page now shows the latest rules", { exact: false }).waitFor();
    expect(await page.getByLabel("Threshold").inputValue()).toBe("8");
    await comesTo(() => page.getByRole("radio", { name: /^2 · Careful/ }).isChecked(), true);
    await button(page, "Save").click();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    expect(sent).toEqual([
      { threshold: 8, revision: 12 },
      { threshold: 8, revision: 20 },
    ]);
    await context.close();
  });

  test("is asked about before it is left behind", async () => {
    const { page, context } = await open("");
    await page.getByRole("radio", { name: /^3 · Strict/ }).check();
    await page.getByRole("link", { name: "IP addresses", exact: true }).click();
    await page.getByRole("dialog").getByText("Leave without saving?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("radio", { name: /^3 · Strict/ }).isChecked()).toBe(true);
    await context.close();
  });

  test("that would keep out one's own address is refused with what to do, and the form stays as it is", async () => {
    const { page, context } = await open("/addresses", {
      "POST /addresses": () =>
        refused(
          409,
          "OWN_ADDRESS",
          "This would lock you out. Add your own IP address to the allow list first, or narrow the rule.",
        ),
    });
    await button(page, "Add IP address").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("IP address or range").fill("198.51.100.0/24");
    await dialog.getByLabel("Note").fill("Everyone here");
    await dialog.getByRole("button", { name: "Add IP address" }).click();
    await dialog
      .getByRole("alert")
      .getByText("Add your own IP address to the allow list", { exact: false })
      .waitFor();
    expect(await dialog.getByLabel("IP address or range").inputValue()).toBe("198.51.100.0/24");
    expect(await dialog.getByLabel("Note").inputValue()).toBe("Everyone here");
    await context.close();
  });

  test("by deleting addresses can be undone: they are added as they were", async () => {
    const added: unknown[] = [];
    let isGone = false;
    const left = () => (isGone ? data.addresses.slice(2) : data.addresses);
    const { page, context } = await open("/addresses", {
      "GET /addresses": () => ({
        ...{ entries: left(), revision: 12 },
        pagination: { total: left().length, limit: 50, offset: 0 },
      }),
      "POST /addresses/delete": () => {
        isGone = true;
        return { deleted: 2, revision: 13 };
      },
      "POST /addresses": ({ body }) => {
        added.push(body);
        return { entry: data.addresses[0], revision: 14 };
      },
      "GET /config": () => data.config({ revision: isGone ? 13 : 12 }),
    });
    const rows = page.getByRole("table", { name: "IP addresses" }).getByRole("row");
    await rows.nth(12).waitFor();
    await page.getByLabel("Select 203.0.113.0/24").first().check();
    await page.getByLabel("Select 198.51.100.7").first().check();
    await button(page, "Delete selected").click();
    await page.getByText("2 IP addresses were deleted.").waitFor();
    await rows.nth(11).waitFor({ state: "detached" });
    await button(page, "Undo").click();
    await page.getByText("The IP addresses were restored.").waitFor();
    const [first, second] = data.addresses;
    const shape = (entry: typeof first) =>
      entry && { kind: entry.kind, address: entry.range, note: entry.note, expiresAt: entry.expiresAt };
    expect(added).toEqual([shape(first), shape(second)]);
    await context.close();
  });
});

describe("the live traffic", () => {
  const row = (number: number) => ({
    ...data.traffic.at(-1),
    id: `new-${number}`,
    path: `/new/${number}`,
  });

  test("moves no row under the pointer; what is new waits until it is asked for", async () => {
    let isMore = false;
    const { page, context } = await open("/traffic", {
      "GET /traffic": ({ query }) => ({
        rows: query.has("after") ? [row(60)].filter(() => isMore) : data.traffic,
        ...{ cursor: isMore ? "a:60" : "a:59", last: 60, replica: "a", missed: 0, isWatching: true },
      }),
    });
    const table = page.getByRole("table", { name: "Requests" });
    const top = table.getByRole("row").nth(1);
    await top.hover();
    const before = await top.textContent();
    isMore = true;
    await button(page, "1 new request").waitFor();
    expect(await top.textContent()).toBe(before);
    await button(page, "1 new request").click();
    await table.getByText("/new/60").waitFor();
    await context.close();
  });

  test("is narrowed down by the address bar, and a request opens with why it was stopped", async () => {
    const { page, context } = await open("/traffic?verdict=blocked");
    const table = page.getByRole("table", { name: "Requests" });
    await table.getByRole("row").nth(1).waitFor();
    await comesTo(() => table.getByText("Passed", { exact: true }).count(), 0);
    await table.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.getByText("<script>alert(document.cookie)</script>").waitFor();
    await sheet.getByRole("button", { name: "Exempt this field" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add an exemption" });
    expect(await dialog.getByLabel("Path").inputValue()).toBe("/api/contact");
    expect(await dialog.getByLabel("Fields").inputValue()).toBe("message");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?verdict=blocked");
    await context.close();
  });
});

describe("the replay of a draft", () => {
  test("shows how far it is, marks what admins did, and puts the draft in force", async () => {
    const sent: unknown[] = [];
    let looked = 0;
    const { page, context } = await open("/replay", {
      "POST /replay": ({ body }) => {
        sent.push(body);
        return data.replay({ state: "running", looked: 0, rows: [] });
      },
      "GET /replay/*": () => {
        looked += 10_000;
        return data.replay(looked < 20_000 ? { state: "running", looked, rows: [] } : {});
      },
      "PUT /config": ({ body }) => {
        sent.push(body);
        return data.config({ paranoiaLevel: 2 });
      },
    });
    await button(page, "Run on the last 24 hours").click();
    await page.getByRole("alert").getByText("Change something above first", { exact: false }).waitFor();
    await page.getByLabel("Paranoia level").selectOption("2");
    await button(page, "Run on the last 24 hours").click();
    await page.getByText("10,000 of 20,000 requests checked").waitFor();
    await page.getByText("A sample of 20,000 requests, of 48,534 received", { exact: false }).waitFor();
    const rows = page.getByRole("table", { name: /^Newly blocked requests/ }).getByRole("row");
    expect(await rows.nth(1).getByText("You", { exact: true }).count()).toBe(1);
    await button(page, "Apply draft").click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply draft" }).click();
    await page.getByText("The draft was applied.").waitFor();
    expect(sent).toEqual([{ switches: { paranoiaLevel: 2 } }, { paranoiaLevel: 2, revision: 12 }]);
    await context.close();
  });

  test("proposes exemptions for what it would block of users, each accepted with one press", async () => {
    const {
      id,
      proposals: [proposal],
    } = data.replay();
    const accepted: unknown[] = [];
    const { page, context } = await open("/replay", {
      "POST /replay": () => data.replay(),
      [`POST /proposals/${proposal?.id}/accept`]: ({ query }) => {
        accepted.push(query.get("replay"));
        return { exemptions: data.exemptions, most: 200, revision: 13 };
      },
    });
    await page.getByLabel("Paranoia level").selectOption("2");
    await button(page, "Run on the last 24 hours").click();
    const proposals = page.getByRole("region", { name: "Proposed exemptions" });
    await proposals.getByText("14 requests of 3 users.", { exact: false }).waitFor();
    await button(page, "Accept the exemption of message for POST /api/contact").click();
    await page.getByText("message of POST /api/contact is exempt").waitFor();
    await proposals.waitFor({ state: "detached" });
    expect(accepted).toEqual([id]);
    await context.close();
  });
});

describe("the history", () => {
  test("tells what was before each change, and reverts one by keyboard, which is a change itself", async () => {
    let isReverted = false;
    const changes = () =>
      isReverted
        ? [
            {
              ...data.history[1],
              id: 43,
              reverts: 41,
              what: "Reverted change 41",
              lines: ["Bans: on → off"],
            },
            ...data.history.map((change) => (change.id === 41 ? { ...change, canRevert: false } : change)),
          ]
        : data.history;
    const { page, context, calls } = await open("/history", {
      "GET /history": () => ({ changes: changes(), revision: isReverted ? 13 : 12 }),
      "POST /history/41/revert": () => {
        isReverted = true;
        return { changes: changes(), revision: 13 };
      },
      "GET /config": () => data.config({ revision: isReverted ? 13 : 12 }),
    });
    const rows = page.getByRole("table", { name: "Changes" }).getByRole("row");
    await rows.nth(2).getByText("Paranoia level: 1 → 2").waitFor();
    expect(await rows.getByRole("button").count()).toBe(3);
    await rows.nth(3).getByText("Changed later").waitFor();
    await button(page, "Revert change 41").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Change 41 was reverted.").waitFor();
    await rows.nth(1).getByText("Reverted change 41").waitFor();
    await rows.nth(3).getByText("Changed later").waitFor();
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual(["POST /history/41/revert"]);
    // The button that had the focus is gone: the keyboard goes on at the list.
    await comesTo(() => page.evaluate(() => document.activeElement?.tagName), "DIV");
    await context.close();
  });

  test("says why a revert is refused", async () => {
    const { page, context } = await open("/history", {
      "POST /history/41/revert": () => refused(409, "OWN_ADDRESS", "This would lock you out."),
    });
    await button(page, "Revert change 41").click();
    await page.getByRole("alert").getByText("This would lock you out.", { exact: false }).waitFor();
    await context.close();
  });
});

test("every sub-page fits 320 px, with targets of 44 px that no style attribute made", async () => {
  const { page, context, complaints } = await open("", {}, { width: 320 });
  const paths = [
    "",
    "/traffic",
    "/addresses",
    "/countries",
    "/rates",
    "/attacks?show=found",
    "/bans",
    "/history",
    "/replay",
  ];
  for (const path of [...paths, "/attacks?list=exemptions", "/explain", "/explain/any"]) {
    await openLive(page, `${stage.url}/admin/firewall${path}`);
    await page.getByRole("navigation", { name: "Firewall pages" }).waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    const seen = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      styled: document.querySelectorAll("[data-plugin] [style]").length,
      small: [...document.querySelectorAll("[data-plugin] button, [data-plugin] select, [data-plugin] input")]
        .filter((control) => {
          const { height, width } = control.getBoundingClientRect();
          const isReached =
            control.closest("label, tr") !== null || control.getAttribute("role") === "switch";
          return width > 0 && height < 44 && !isReached;
        })
        .map((control) => control.outerHTML.slice(0, 120)),
    }));
    expect([path, seen]).toEqual([path, { overflow: 0, styled: 0, small: [] }]);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("an address that leads nowhere says so, and the sub-pages are reached by keyboard", async () => {
  const { page, context } = await open("/nonsense");
  await page.getByText("Page not found.").waitFor();
  await tabTo(page, "Countries");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/firewall/countries");
  await page.getByRole("radio", { name: /^All except/ }).waitFor();
  await context.close();
});

test("the fields of an exemption keep room for a word at every width, so that no row grows tall", async () => {
  const { page, context } = await open("/attacks?list=exemptions");
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole("row").nth(1).waitFor();
    const heights = await page
      .getByRole("row")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect([width, Math.max(...heights) < 160]).toEqual([width, true]);
  }
  await context.close();
});
