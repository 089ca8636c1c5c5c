import { type BuiltText, originMark } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { escaped } from "./escaped.ts";

/** Whether search engines may list a page: it is for visitors, and says what it is. */
export const isListed = ({ access, description }: Pick<RenderedPage, "access" | "description">): boolean =>
  access === "public" && description !== null;

/**
 * `robots.txt` and `sitemap.xml`, whose addresses the running server completes. `documents`: paths of further pages, beside
 * the application, that are listed.
 */
export const crawlerTexts = (
  pages: readonly RenderedPage[],
  documents: readonly string[],
): Record<string, BuiltText> => ({
  "/robots.txt": {
    type: "text/plain; charset=utf-8",
    text: `User-agent: *\nDisallow: /api/\n\nSitemap: ${originMark}/sitemap.xml\n`,
  },
  "/sitemap.xml": {
    type: "application/xml; charset=utf-8",
    text: siteMap([...pages.filter(isListed).map(({ path }) => path), ...documents]),
  },
});

const siteMap = (paths: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `  <url><loc>${escaped(originMark + path)}</loc></url>`),
    "</urlset>",
    "",
  ].join("\n");
