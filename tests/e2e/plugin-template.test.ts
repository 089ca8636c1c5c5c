import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import type { FrameLocator, Page } from "playwright-core";
import { pluginTools } from "#api/plugin-host/author/plugin-tools.ts";
import { axeFindings } from "./axe-findings.ts";
import { installZip } from "./installed-plugin.ts";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-template-"));
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  await page.evaluate(() =>
    fetch("/api/plugins/plugin-template/toggle", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ enabled: true }),
    }),
  );
  await context.close();
}, 90_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const frameOf = (page: Page): FrameLocator => page.frameLocator("iframe");

/** Presses a button of a part and returns the result. */
const tryIt = async (frame: FrameLocator, part: string, button: string): Promise<string> => {
  const section = frame.getByRole("region", { name: part, exact: true });
  const answer = section.getByRole("status", { name: `Result: ${part}` });
  await answer.evaluate((element) => {
    element.textContent = "";
  });
  await section.getByRole("button", { name: button, exact: true }).click();
  await answer.filter({ hasText: /\S/ }).waitFor();
  return (await answer.textContent()) ?? "";
};

/** Buttons of each part, with a pattern that matches their result. */
const tries: [part: string, button: string, answer: RegExp][] = [
  ["Routes", "Call GET /hello", /Hello, Ada!/],
  ["Routes", "Call GET /me", /"role": "admin"/],
  ["Routes", "Call POST /echo/hey", /hey hey hey/],
  ["Routes", "Break the schema", /^422: [\s\S]*times/],
  ["Settings and secrets", "Greet me", /Ada Lovelace!/],
  ["Settings and secrets", "Turn Loud on or off", /"loud": true/],
  ["Values", "Add", /"value": 1/],
  ["Values", "Show stored values", /"counter": 1/],
  ["Files", "Save a note", /plants/],
  ["Files", "Read it", /Water the plants/],
  ["Activity log", "Write an entry", /true/],
  ["Schedule", "Show the last run", /"last"/],
  ["Users and email", "Look me up", /Ada Lovelace/],
  ["Other servers", "Request another host", /PERMISSION_DENIED/],
  ["Request rules", "Block the word", /please-block-me/],
  ["Request rules", "Send the word", /please-block-me/],
  ["Request rules", "Show the count", /"hits": 1/],
  ["Request rules", "Remove the rule", /null/],
  ["Events", "Show recent events", /\[/],
  ["Other plugins", "Ask licensing", /Community/],
  ["Log", "Write a line at each level", /"lines": 4/],
  ["Health, updates and shutdown", "Check health", /"ok": true/],
  ["The page", "Show what the page knows", /"theme": "light"/],
];

describe("the page of the plugin template", () => {
  test("explains every part, lets you try it, and shows its source", async () => {
    const { page, context, complaints } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugin-template`);
    const frame = frameOf(page);
    await frame.getByRole("heading", { name: "Routes" }).waitFor();
    const titles = await frame.getByRole("heading", { level: 2 }).allTextContents();
    expect([...new Set(tries.map(([part]) => part))].sort()).toEqual(titles.sort());
    for (const [part, button, wanted] of tries)
      expect([part, button, await tryIt(frame, part, button)]).toEqual([
        part,
        button,
        expect.stringMatching(wanted),
      ]);
    const values = frame.getByRole("region", { name: "Values", exact: true });
    await values.getByText("backend/parts/values.ts").click();
    await values.getByText("ifVersion: entry?.version ?? 0").waitFor();
    await values.getByText("Code of the buttons").click();
    await values.getByText('await api.call("POST", "/counter", {"by":1});').waitFor();
    await tryIt(frame, "Request rules", "Block the word");
    const visit = () => fetch(`${stage.url}/api/plugin-template/hello?name=please-block-me`);
    expect((await visit()).status).toBe(403);
    await tryIt(frame, "Request rules", "Remove the rule");
    expect((await visit()).status).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);

  test("has a URL for each part", async () => {
    const { page, context } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugin-template`);
    const frame = frameOf(page);
    await frame.getByRole("link", { name: "Events" }).click();
    await page.waitForURL("**/admin/plugin-template/events");
    await frame.getByRole("heading", { name: "Routes" }).waitFor({ state: "hidden" });
    await comesTo(() => frame.getByRole("heading", { level: 2 }).allTextContents(), ["Events"]);
    await comesTo(() => page.title(), "Plugin template · Atrium admin");
    const own = page.getByRole("navigation", { name: "Admin", exact: true });
    expect(await own.locator("[aria-current=page]").textContent()).toBe("Plugin template");
    await page.goBack();
    await frame.getByRole("heading", { name: "Routes" }).waitFor();
    await openLive(page, `${stage.url}/admin/plugins/plugin-template/files`);
    await frame.getByRole("heading", { name: "Files" }).waitFor();
    await frame.getByRole("link", { name: "Log", exact: true }).click();
    await page.waitForURL("**/admin/plugins/plugin-template/log");
    await openLive(page, `${stage.url}/admin/plugin-template/no-such-part`);
    await frame.getByText("Page not found.").waitFor();
    await context.close();
  }, 60_000);

  for (const theme of ["light", "dark"] as const)
    test(`is accessible on a narrow screen, ${theme}`, async () => {
      const { page, context } = await stage.open("admin", { width: 320, theme });
      await openLive(page, `${stage.url}/admin/plugin-template`);
      const frame = frameOf(page);
      await tryIt(frame, "Routes", "Call GET /hello");
      expect(await axeFindings(page)).toEqual([]);
      const width = () => document.documentElement.scrollWidth;
      expect(await page.evaluate(width)).toBe(320);
      const [inner] = page.frames().slice(1);
      expect(await inner?.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await context.close();
    }, 60_000);
});

describe("a plugin created from the template", () => {
  test("is downloaded from the page, and works unsigned for another developer", async () => {
    const { page, context, complaints } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugin-template`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download template" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("my-plugin.zip");
    const files = unzipSync(await Bun.file(await download.path()).bytes());
    for (const [path, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const { zip } = await pluginTools.pack(join(folder, "my-plugin"));
    await installZip(page, { name: "my-plugin", zip });
    await openLive(page, `${stage.url}/admin/plugins/my-plugin`);
    const frame = frameOf(page);
    await frame.getByRole("heading", { name: "Routes" }).waitFor();
    for (const [part, button, wanted] of tries)
      expect([part, button, await tryIt(frame, part, button)]).toEqual([
        part,
        button,
        expect.stringMatching(wanted),
      ]);
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);
});
