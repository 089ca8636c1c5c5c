import { type BuiltText, originMark } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { escaped } from "./page-document.ts";

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

/** What browsers know of the site when someone puts it on a home screen. */
export const webManifest: BuiltText = {
  type: "application/manifest+json",
  text: JSON.stringify({
    name: markedSite.name,
    short_name: markedSite.shortName,
    description: markedSite.about,
    ...{ id: "/", start_url: "/", scope: "/", display: "browser" },
    ...{ background_color: "#fcfbf9", theme_color: markOf("accent") },
    icons: ["any", "maskable"].flatMap((purpose) =>
      [192, 512].map((size) => ({
        src: `/icon-${purpose === "any" ? "" : "maskable-"}${size}.png`,
        sizes: `${size}x${size}`,
        type: "image/png",
        purpose,
      })),
    ),
  }),
};

/** A page of the documentation, as an index names it. */
type IndexedPage = { path: string; title: string; description: string };

/** Pages under a title. */
export type IndexedGroup = { title: string; pages: readonly IndexedPage[] };

/**
 * `llms.txt`: what this server is and where to read on, for language models. The running server completes its addresses.
 * Source of the form: https://llmstxt.org
 */
export const llmsText = (groups: readonly IndexedGroup[]): BuiltText => ({
  type: "text/plain; charset=utf-8",
  text: [
    `# ${markedSite.name}`,
    "",
    "> A server with accounts, an admin area and plugins, in one executable. This is one installation; the documentation",
    "> below is about the version that runs here.",
    "",
    "Programs act for an administrator with an API token in `Authorization: Bearer`. Assistants that speak the Model Context",
    `Protocol connect to ${originMark}/mcp with the same token, where the operator has switched that on.`,
    "",
    "## API",
    "",
    `- [API description](${originMark}/swagger/json): Every endpoint as an OpenAPI 3.1 document, including those of running plugins.`,
    `- [API reference](${originMark}/swagger): The same as a page, with forms to try requests.`,
    "",
    ...groups.flatMap(({ title, pages }) => [
      `## ${title}`,
      "",
      ...pages.map((page) => `- [${page.title}](${originMark}${page.path}): ${page.description}`),
      "",
    ]),
  ].join("\n"),
});
