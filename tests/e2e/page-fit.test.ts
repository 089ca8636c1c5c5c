import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { createPerson } from "../driver/person.ts";
import { openLive, settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

beforeAll(async () => {
  const message = { name: "Mira Lund", email: "mira@northwind.example", subject: "Support" };
  await createPerson(stage.url).call("POST", "/api/contact", {
    ...message,
    message: "Some words. ".repeat(90),
  });
}, 90_000);

const notice = (page: Page) => page.getByRole("region", { name: "Notifications" }).locator("p");

/** The buttons and links in a dialog that a press would not reach, because something else is drawn over them. */
const covered = (dialog: Locator) =>
  dialog.evaluate((element) => {
    const controls = [...element.querySelectorAll<HTMLElement>("button, a")];
    return controls.flatMap((control) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      // Close to each corner, and what is round has none.
      const points = [0.2, 0.8].flatMap((x) =>
        [0.2, 0.8].map((y) => [left + x * width, top + y * height] as const),
      );
      const above = points.map(([x, y]) => document.elementFromPoint(x, y));
      return above.some(
        (other) => other?.closest("[aria-label=Notifications]") && !control.contains(other),
      ) && !control.closest("[aria-label=Notifications]")
        ? [control.textContent || control.ariaLabel]
        : [];
    });
  });

describe("a notice", () => {
  for (const [width, height] of [
    [390, 844],
    [390, 400],
    [768, 900],
    [1280, 900],
  ] as const)
    test(`covers no button of a sheet or of a dialog above it at ${width} × ${height} px`, async () => {
      const { page } = await stage.open("admin", { width });
      await page.setViewportSize({ width, height });
      await openLive(page, `${stage.url}/admin/messages`);
      await page.getByRole("row").getByRole("button").first().click();
      const sheet = page.getByRole("dialog").first();
      await sheet.getByRole("button", { name: /^(?:Mark as handled|Reopen)$/ }).click();
      await notice(page).waitFor();
      // It stays for as long as it is pointed at.
      await notice(page).hover();
      await settle(page);
      expect(await covered(sheet)).toEqual([]);
      await sheet.getByRole("button", { name: "Delete" }).click();
      const question = page.getByRole("dialog").last();
      await question
        .locator("p")
        .filter({ hasText: (await notice(page).textContent()) ?? "" })
        .waitFor();
      await settle(page);
      expect(await covered(question)).toEqual([]);
    });
});

/** Common words that a line break has split between two letters, although none is too long for a line. */
const splitWords = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(
        /(?<=^|[\s(])[a-z]{2,14}(?=$|[\s:,.)])/gi,
      )) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  });

test("no word is split between two letters on the admin area's pages at 390 px", async () => {
  const { page } = await stage.open("admin", { width: 390 });
  await page.route("**/api/admin", async (route) => {
    const response = await route.fetch();
    const availablePlugins = [
      "firewall",
      "licensing",
      "web-performance-optimization",
      ...Array(4).fill("site-watch"),
    ];
    await route.fulfill({ response, json: { ...(await response.json()), availablePlugins } });
  });
  const split: [string, string[]][] = [];
  for (const path of ["/admin", "/admin/plugins", "/admin/settings", "/admin/messages"]) {
    await openLive(page, `${stage.url}${path}`);
    await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
    if (path === "/admin") await page.getByText("firewall, licensing").first().waitFor();
    await settle(page);
    split.push([path, await splitWords(page)]);
  }
  expect(split.filter(([, words]) => words.length > 0)).toEqual([]);
});

describe("on paper", () => {
  const isShown = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count();
  const looks = (locator: Locator) =>
    locator.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor];
    });

  for (const [path, who] of [
    ["/terms", "visitor"],
    ["/docs/configuration", "visitor"],
    ["/forgot-password", "visitor"],
    ["/dashboard", "user"],
    ["/admin/messages", "admin"],
  ] as const)
    test(`${path} is its content alone, black on white in the dark theme`, async () => {
      const { page } = await stage.open(who, { theme: "dark" });
      await openLive(page, `${stage.url}${path}`);
      await page.waitForLoadState("networkidle");
      await page.emulateMedia({ media: "print" });
      expect(await isShown(page, ":is(header, aside, footer, nav, [popover]):not(main *)")).toBe(0);
      expect(await isShown(page, "main h1")).toBe(1);
      expect(await looks(page.locator("h1"))).toEqual(["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]);
      expect((await looks(page.locator("body")))[1]).toBe("rgba(0, 0, 0, 0)");
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light");
    });

  test("a table is whole, and an open sheet is all that is printed", async () => {
    const { page } = await stage.open("admin", { theme: "dark" });
    await openLive(page, `${stage.url}/admin/messages`);
    const table = page.getByRole("table").last();
    await table.getByRole("row").nth(1).waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await table.locator("..").evaluate((place) => getComputedStyle(place).overflow)).toBe("visible");
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("row").getByRole("button").first().click();
    await page.getByRole("dialog").getByText("Some words.").waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await isShown(page, "h1, table")).toBe(0);
    const { scrollHeight, clientHeight } = await page.getByRole("dialog").evaluate((sheet) => ({
      scrollHeight: sheet.scrollHeight,
      clientHeight: sheet.clientHeight,
    }));
    expect(scrollHeight).toBe(clientHeight);
  });
});
