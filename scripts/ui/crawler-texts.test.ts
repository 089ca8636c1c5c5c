import { expect, test } from "bun:test";
import { originMark } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { crawlerTexts } from "./crawler-texts.ts";

const page = (path: string, more: Partial<RenderedPage>): RenderedPage => ({
  path,
  title: "A page",
  description: "What it is.",
  access: "public",
  source: "page.tsx",
  isEager: false,
  visitor: "",
  member: "",
  unsure: "",
  ...more,
});

test("the site map names the public pages that say what they are, the documentation, and no others", () => {
  const pages = [
    page("/", {}),
    page("/setup", { description: null }),
    page("/dashboard", { access: "user" }),
    page("/admin", { access: "admin" }),
    page("/a&b", {}),
    page("*", { description: null }),
  ];
  const texts = crawlerTexts(pages, ["/docs", "/docs/cli"]);
  const named = [...(texts["/sitemap.xml"]?.text ?? "").matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc);
  expect(named).toEqual(["/", "/a&amp;b", "/docs", "/docs/cli"].map((path) => originMark + path));
});

test("crawlers are kept from the API and shown the site map", () => {
  const text = crawlerTexts([], [])["/robots.txt"]?.text ?? "";
  expect(text.split("\n")).toContain("Disallow: /api/");
  expect(text).toContain(`Sitemap: ${originMark}/sitemap.xml`);
});
