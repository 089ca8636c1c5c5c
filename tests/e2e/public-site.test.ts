import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { fillMarks, siteOf, unsetSite } from "#contract/site.ts";
import { pageDescriptions } from "#ui/prerender.tsx";
import { routes, titleOf } from "#ui/routes.tsx";
import { chapterGroups, docsPath } from "../../scripts/docs/chapters.ts";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

// Budgets in bytes, brotli. Source: the look and feel's "Budgets".
const budget = { document: 14_000, boot: 2_000 };

const listed = routes.filter(({ path }) => path in pageDescriptions);

const content = (page: Page, selector: string) => page.locator(selector).getAttribute("content");

/** Width and height of a PNG, which stand at the same place in each. Source: PNG specification §11.2.2. */
const sizeOfPng = (bytes: Uint8Array): [number, number] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

describe("every public page", () => {
  for (const route of listed) {
    const { path } = route;
    const title = titleOf(route, siteOf(unsetSite));
    const { variants: _, ...said } = siteOf(unsetSite);
    const description = fillMarks(pageDescriptions[path] ?? "", said);
    test(`${path} is whole without scripts and without any other host, and says what it is`, async () => {
      const { page, foreign, complaints } = await stage.open("visitor");
      await page.route("**/assets/main-*.js", (route) => route.abort());
      await page.goto(`${stage.url}${path}`);
      expect(await page.title()).toBe(title);
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.locator("main").textContent()).not.toBe("");
      const address = stage.url + path;
      const image = `${stage.url}/social-card.png`;
      expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe(address);
      expect({
        description: await content(page, "meta[name=description]"),
        ogTitle: await content(page, 'meta[property="og:title"]'),
        ogDescription: await content(page, 'meta[property="og:description"]'),
        ogUrl: await content(page, 'meta[property="og:url"]'),
        ogImage: await content(page, 'meta[property="og:image"]'),
        card: await content(page, 'meta[name="twitter:card"]'),
        cardTitle: await content(page, 'meta[name="twitter:title"]'),
        cardImage: await content(page, 'meta[name="twitter:image"]'),
      }).toEqual({
        description,
        ogTitle: title,
        ogDescription: description,
        ogUrl: address,
        ogImage: image,
        card: "summary_large_image",
        cardTitle: title,
        cardImage: image,
      });
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    });

    test(`${path} is readable after one round trip, with next to no script`, async () => {
      const ask = () =>
        fetch(`${stage.url}${path}`, { headers: { "accept-encoding": "br" }, decompress: false });
      // That form comes a moment after the first request.
      await comesTo(async () => (await ask()).headers.get("content-encoding"), "br");
      const answer = await ask();
      expect((await answer.bytes()).byteLength).toBeLessThanOrEqual(budget.document);
      const html = await (await fetch(`${stage.url}${path}`)).text();
      const scripts = [...html.matchAll(/<script(?![^>]*application\/json)[^>]*>(.*?)<\/script>/gs)];
      expect(scripts).toHaveLength(1);
      expect(brotliCompressSync(scripts[0]?.[1] ?? "").byteLength).toBeLessThanOrEqual(budget.boot);
    });
  }
});

describe("crawlers", () => {
  test("are led by robots.txt to a site map that names exactly the public pages", async () => {
    const robots = await (await fetch(`${stage.url}/robots.txt`)).text();
    const siteMap = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? "";
    expect(siteMap).toBe(`${stage.url}/sitemap.xml`);
    const answer = await fetch(siteMap);
    expect(answer.headers.get("content-type")).toContain("application/xml");
    const named = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc);
    const chapters = chapterGroups.flatMap((group) => group.chapters);
    const open = [...listed.map(({ path }) => path), docsPath, ...chapters.map(({ path }) => path)];
    expect(named).toEqual(open.map((path) => stage.url + path));
    for (const address of named)
      expect((await fetch(address ?? "", { redirect: "manual" })).status).toBe(200);
  });

  test("are asked to leave out pages that are for one reader, and what does not exist", async () => {
    const { page } = await stage.open("user");
    for (const path of [
      "/dashboard",
      "/switch-test",
      "/setup?token=none",
      "/verify-email",
      "/reset-password",
      "/no/such/page",
    ]) {
      await page.goto(`${stage.url}${path}`);
      expect([path, await content(page, "meta[name=robots]")]).toEqual([path, "noindex"]);
      expect(await page.locator("link[rel=canonical], meta[property^=og]").count()).toBe(0);
    }
  });
});

describe("what stands for the site elsewhere", () => {
  test("icons, manifest and the picture beside a link are there in the sizes that they claim", async () => {
    const manifest = await fetch(`${stage.url}/manifest.webmanifest`);
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    const { icons } = await manifest.json();
    const pictures = [
      ...icons.map(({ src, sizes }: { src: string; sizes: string }) => [src, sizes]),
      ["/apple-touch-icon.png", "180x180"],
      ["/social-card.png", "1200x630"],
    ];
    for (const [path, size] of pictures) {
      const answer = await fetch(`${stage.url}${path}`);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "image/png"]);
      expect([path, sizeOfPng(await answer.bytes()).join("x")]).toEqual([path, size]);
    }
    const { page, complaints } = await stage.open("visitor");
    await page.goto(stage.url);
    for (const link of await page.locator("link[rel=icon], link[rel=manifest]").all()) {
      const answer = await page.request.get(new URL((await link.getAttribute("href")) ?? "", stage.url).href);
      expect(answer.status()).toBe(200);
    }
    expect(complaints).toEqual([]);
  });

  test("the browser's bars take the color of the current theme", async () => {
    const { page } = await stage.open("visitor", { theme: "dark" });
    await page.goto(stage.url);
    const inForce = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")]
          .filter(({ media }) => matchMedia(media).matches)
          .map(({ dataset }) => dataset.theme),
      );
    expect(await inForce()).toEqual(["dark"]);
    await page.getByRole("button", { name: "Light theme" }).click();
    await comesTo(inForce, ["light"]);
  });

  test("the address to share follows the reader from page to page", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/terms`);
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("heading", { level: 1, name: "Privacy Policy" }).waitFor();
    await comesTo(() => page.locator("link[rel=canonical]").getAttribute("href"), `${stage.url}/privacy`);
  });
});
