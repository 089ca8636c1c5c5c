import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { build } from "vite";
import type { ClosedPage } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import { DocsFrame, DocsIndexPage, type NavEntry, type NavGroup } from "#ui/docs-site/docs-frame.tsx";
import { docsTexts as texts } from "#ui/docs-site/texts.ts";
import { cssTarget } from "../../vite.config.ts";
import { projectRoot } from "../project-root.ts";
import { bundleScript, type ClientBundle } from "../ui/client-bundle.ts";
import { closedPolicy, placeIn } from "../ui/closed-page.ts";
import { criticalCss } from "../ui/critical-css.ts";
import { cutGaps } from "../ui/cut-gaps.ts";
import { escaped } from "../ui/escaped.ts";
import { appearance } from "../ui/page-document.ts";
import type { Shelf } from "../ui/shelf.ts";
import type { Assets } from "../ui/write-site.ts";
import { chapterGroups, docsPath } from "./chapters.ts";
import { type DocsPage, makeDocs } from "./make-docs.ts";

type DocsJob = { client: ClientBundle; shelf: Shelf; assets: Assets };

/**
 * Writes every page of the documentation, and adds what they alone load to `assets`. Throws, naming each, when a link leads
 * nowhere or something cannot be rendered.
 */
export const writeDocs = async ({ client, shelf, assets }: DocsJob): Promise<Record<string, ClosedPage>> => {
  const { pages, index, problems } = await makeDocs();
  if (problems.length > 0) throw new Error(`the documentation cannot be built:\n${problems.join("\n")}`);
  const bodies = docsBodies(pages);
  const place = placeIn(shelf, assets, docsFilePrefix);
  const [painting, script, styles] = await Promise.all([
    bundleScript("docs-site/paint-docs.ts", "iife"),
    bundleScript("docs-site/docs.ts", "esm"),
    docsStyles(
      client.css,
      bodies.map(({ body }) => body),
    ),
  ]);
  const parts: PageParts = {
    painting,
    font: client.font,
    script: place("js", script),
    stylesheet: place("css", styles),
    index: place("json", JSON.stringify(index)),
  };
  const csp = closedPolicy(painting);
  const written = bodies.map(async (body) => {
    const { bytes, gaps } = cutGaps(documentOf(body, parts));
    const file = await shelf.storePacked(`pages${body.path}.html`, bytes);
    return [body.path, { ...file, type: "text/html; charset=utf-8", isImmutable: false, csp, gaps }] as const;
  });
  return Object.fromEntries(await Promise.all(written));
};

/** What the names of the documentation's own files begin with. */
export const docsFilePrefix = "docs-";

type PageParts = { painting: string; font: string; script: string; stylesheet: string; index: string };

const documentOf = ({ title, description, body }: DocsBody, parts: PageParts): string =>
  [
    '<!doctype html><html lang="en" data-device-theme><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title><meta name="description" content="${escaped(description)}">`,
    appearance,
    `<script>${parts.painting}</script>`,
    `<link rel="preload" href="${parts.font}" as="font" type="font/woff2" crossorigin>`,
    `<link rel="stylesheet" href="${parts.stylesheet}">${markOf("look")}`,
    `<script type="module" src="${parts.script}" data-index="${parts.index}"></script></head>`,
    `<body>${body}</body></html>`,
  ].join("");

/** A page's markup below `body`, with what its head says of it. */
type DocsBody = { path: string; title: string; description: string; body: string };

/** Puts every chapter into the frame, after the page that lists them all. */
export const docsBodies = (pages: readonly DocsPage[]): DocsBody[] => {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const groups = chapterGroups.map(({ title, chapters }) => ({
    title,
    links: chapters.flatMap(({ path }) => byPath.get(path) ?? []),
  }));
  return [indexBody(groups), ...pages.map((page, at) => chapterBody({ pages, groups, page, at }))];
};

const indexBody = (groups: (Pick<NavGroup, "title"> & { links: DocsPage[] })[]): DocsBody => ({
  path: docsPath,
  title: `${texts.name} · ${markedSite.name}`,
  description: texts.lead,
  body: renderToStaticMarkup(
    createElement(
      DocsFrame,
      { path: docsPath, groups, headings: [], previous: null, next: groups[0]?.links[0] ?? null },
      createElement(DocsIndexPage, { groups }),
    ),
  ),
});

type ChapterJob = { pages: readonly DocsPage[]; groups: readonly NavGroup[]; page: DocsPage; at: number };

const chapterBody = ({ pages, groups, page, at }: ChapterJob): DocsBody => {
  const { path, title, description, headings, html } = page;
  const previous: NavEntry = pages[at - 1] ?? { path: docsPath, title: texts.name };
  const frame = renderToStaticMarkup(
    createElement(DocsFrame, { path, groups, headings, previous, next: pages[at + 1] ?? null }, place),
  );
  return {
    path,
    title: `${title} · ${texts.name} · ${markedSite.name}`,
    description,
    body: frame.replace(place, () => `<h1>${escaped(title)}</h1>${html}`),
  };
};

// React writes what it is given as text; the chapter's markup comes from a renderer of its own.
const place = "{chapter}";

/**
 * The stylesheet of the documentation: of the application's own what its pages use, which is mostly tokens, font and
 * ground, then what it alone looks like.
 */
const docsStyles = async (appCss: string, bodies: readonly string[]): Promise<string> => {
  const own = await ownStyles();
  // What scripts add is in no page yet: its classes are all of those in the sheet, its elements these.
  const classes = [...own.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name).join(" ");
  const markup = `${bodies.join("")}<style></style><button><b class="${classes}"></b></button>`;
  return darkWithoutScripts(criticalCss(appCss + own, markup));
};

const ownStyles = async (): Promise<string> => {
  const folder = join(projectRoot, "src/ui/docs-site");
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: "warn",
    build: {
      write: false,
      cssTarget,
      rolldownOptions: { input: join(folder, "docs.css"), checks: { bundlerTimings: false } },
    },
  });
  const files = Array.isArray(built) || !("output" in built) ? [] : built.output;
  const sheet = files.find(({ fileName }) => fileName.endsWith(".css"));
  if (sheet?.type !== "asset") throw new Error("the stylesheet of the documentation was not built");
  return String(sheet.source).trim();
};

/** Without scripts nothing sets the theme's class, so the theme follows the device. */
const darkWithoutScripts = (css: string): string => {
  const dark = /\.dark\{([^{}]*color-scheme:dark[^{}]*)\}/.exec(css)?.[1];
  if (dark === undefined) throw new Error("the stylesheet has no colors for a dark theme");
  return `${css}@media (scripting:none) and (prefers-color-scheme:dark){:root{${dark}}}`;
};
