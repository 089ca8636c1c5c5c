import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inflateOpen } from "#api/http/pages/open-page.ts";
import { loadPages } from "#api/http/pages/pages.ts";
import type { ClosedPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { buildUi, uiDir } from "../build-ui.ts";
import { chapterGroups, docsPath } from "../docs/chapters.ts";
import { docsFilePrefix } from "../docs/write-docs.ts";
import { buildAndStamp, staleTargets } from "../prepare/build-targets.ts";

// Brotli bytes of a page with all that it loads, font included, and of the index that only a search loads.
const budget = { page: 60_000, index: 40_000 };

let manifest: UiManifest;
let pages: [path: string, page: ClosedPage, html: string][];

beforeAll(async () => {
  if (staleTargets(["ui"]).length > 0) await buildAndStamp("ui", () => buildUi());
  // Written by the build a moment ago.
  manifest = JSON.parse(readFileSync(join(uiDir, "manifest.json"), "utf8")) as UiManifest;
  pages = Object.entries(manifest.documents ?? {})
    .filter(([path]) => path === docsPath || path.startsWith(`${docsPath}/`))
    .map(([path, page]) => [
      path,
      page,
      gunzipSync(readFileSync(join(uiDir, page.files.identity))).toString(),
    ]);
}, 120_000);

const sizeOf = (name: string | undefined) => statSync(join(uiDir, name ?? "")).size;

const sizeOfAsset = (path: string): number => {
  const files = manifest.assets[path]?.files;
  if (files === undefined) throw new Error(`${path} is not in the manifest`);
  return sizeOf(files.br ?? files.identity);
};

const loadsOf = (html: string): string[] =>
  [...html.matchAll(/<(?:link|script)[^>]*(?:src|href)="(\/assets\/[^"]*)"/g)].map(([, path = ""]) => path);

describe("the documentation, built", () => {
  test("has a page for every chapter, and the one that lists them", () => {
    const wanted = [docsPath, ...chapterGroups.flatMap((group) => group.chapters).map(({ path }) => path)];
    expect(pages.map(([path]) => path)).toEqual(wanted);
    for (const path of wanted) expect(manifest.texts["/sitemap.xml"]?.text).toContain(`${path}</loc>`);
  });

  test("is within its budget on every page, with font, stylesheet and script", () => {
    for (const [path, page, html] of pages) {
      const loads = loadsOf(html);
      expect(loads.map((file) => file.split(".").at(-1)).sort()).toEqual(["css", "js", "woff2"]);
      const total = loads.map(sizeOfAsset).reduce((a, b) => a + b, sizeOf(page.files.br));
      expect([path, total]).toSatisfy(([, size]) => Number(size) <= budget.page);
    }
  });

  test("has an index within its budget, which no page loads before a search", () => {
    for (const [, , html] of pages) {
      const index = /data-index="([^"]*)"/.exec(html)?.[1] ?? "";
      expect(sizeOfAsset(index)).toBeLessThanOrEqual(budget.index);
      expect(loadsOf(html)).not.toContain(index);
    }
  });

  test("is not loaded by any page of the application", () => {
    const own = Object.keys(manifest.assets).filter((path) => path.startsWith(`/assets/${docsFilePrefix}`));
    expect(own.map((path) => path.split(".").at(-1)).sort()).toEqual(["css", "js", "json"]);
    for (const { loads, member } of Object.values(manifest.pages)) {
      const html = inflateOpen(readFileSync(join(uiDir, member.headDeflated))).toString();
      for (const path of own) {
        expect([...loads.scripts, ...loads.styles]).not.toContain(path);
        expect(html).not.toContain(path);
      }
    }
  });

  test("runs nothing that its policy does not name, and loads nothing from elsewhere", () => {
    for (const [path, { csp }, html] of pages) {
      for (const [, attributes = "", text = ""] of html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)) {
        if (attributes.includes("src=")) continue;
        const digest = new Bun.CryptoHasher("sha256").update(text).digest("base64");
        expect([path, csp]).toEqual([path, expect.stringContaining(`'sha256-${digest}'`)]);
      }
      expect(csp).not.toContain("unsafe");
      expect(html).not.toContain("<style");
      expect([path, /<[^<>]*\s(?:style|on[a-z]+)="/i.exec(html)?.[0]]).toEqual([path, undefined]);
      expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test("keeps the look of what its scripts add, and knows dark devices without scripts", () => {
    const [, , html = ""] = pages[0] ?? [];
    const stylesheet = loadsOf(html).find((path) => path.endsWith(".css")) ?? "";
    const css = gunzipSync(
      readFileSync(join(uiDir, manifest.assets[stylesheet]?.files.gzip ?? "")),
    ).toString();
    for (const part of [".copy", ".docs-results b", "aria-selected", "scripting:none"])
      expect(css).toContain(part);
    for (const [, name = ""] of css.matchAll(/var\((--[a-z][\w-]*)\)/g))
      expect(css).toMatch(new RegExp(`${name}:|@property ${name}\\{`));
  });

  test("is answered as it was built, with and without a slash at its end", async () => {
    const server = loadPages({ appUrl: "http://localhost", dir: uiDir });
    const ask = (path: string, headers: Record<string, string> = {}) =>
      server.respond({
        method: "GET",
        path,
        search: "",
        headers: new Headers(headers),
        user: null,
        isKnown: true,
      });
    for (const [path, { csp }, html] of pages) {
      const answer = ask(path);
      expect([path, answer.status, answer.headers.get("content-security-policy")]).toEqual([path, 200, csp]);
      expect(await answer.text()).toBe(html);
      expect(ask(path, { "accept-encoding": "br" }).headers.get("content-encoding")).toBe("br");
    }
    expect(ask(`${docsPath}/`).headers.get("location")).toBe(docsPath);
    expect(ask(`${docsPath}/absent`).status).toBe(404);
  });
});
