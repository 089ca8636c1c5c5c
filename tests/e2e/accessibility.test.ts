import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { giveSession, signedInPeople } from "../driver/people.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { pageList } from "./page-list.ts";

let browser: Browser;
let server: ServerProcess;
let cookies: Record<"user" | "admin", string>;

beforeAll(async () => {
  server = await startServer();
  cookies = await signedInPeople(server);
  browser = await launchBrowser();
}, 90_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  removeFolder(server.dataDir);
});

describe("people who cannot see or point", () => {
  for (const { name, path, who } of pageList) {
    for (const theme of ["light", "dark"] as const) {
      test(`${name} in ${theme} has no finding of WCAG 2.1 A and AA`, async () => {
        const { page, context } = await openPage(browser, { width: 1280, theme });
        if (who !== "visitor") await giveSession(context, server.url, cookies[who]);
        await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21aa"])
          .analyze();
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`),
        ).toEqual([]);
        expect(await page.locator("h1").count()).toBe(1);
        await context.close();
      });
    }
    test(`${name} fits 320 px and has no sideways scrolling`, async () => {
      const { page, context } = await openPage(browser, { width: 320, theme: "light", touch: true });
      if (who !== "visitor") await giveSession(context, server.url, cookies[who]);
      await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      await context.close();
    });
  }
});
