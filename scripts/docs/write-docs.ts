import { join } from "node:path";
import type { Token } from "marked";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { build } from "vite";
import type { ClosedPage } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import { DocsFrame, DocsIndexPage, type NavEntry, type NavGroup } from "#ui/docs-site/docs-frame.tsx";
import { type PackedIndex, packIndex, type SearchIndex, wordsOf } from "#ui/docs-site/search/search-index.ts";
import { docsTexts as texts } from "#ui/docs-site/texts.ts";
import { cssTarget } from "../../vite.config.ts";
import { projectRoot } from "../project-root.ts";
import { bundleScript, type ClientBundle } from "../ui/client-bundle.ts";
import type { IndexedGroup } from "../ui/crawler-texts.ts";
import { criticalCss } from "../ui/critical-css.ts";
import { appearance, closedPolicy, cutGaps, escaped, placeIn } from "../ui/page-document.ts";
import type { Shelf } from "../ui/shelf.ts";
import type { Assets } from "../ui/write-site.ts";
import {
  type Chapter,
  chapterGroups,
  docsPath,
  type Heading,
  isHeading,
  plainText,
  type ReadChapter,
  readChapter,
} from "./chapters.ts";
import { cliReference, wholeProgram } from "./cli-reference.ts";
import { renderChapter } from "./render-chapter.ts";

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

/** A chapter as it is put into its page. */
type DocsPage = Omit<Chapter, "source"> & {
  title: string;
  /** Markup of what stands below the title. */
  html: string;
  headings: readonly Heading[];
};

/** The whole documentation; `problems` says, a sentence each, what keeps it from being published. */
type Docs = { pages: DocsPage[]; index: PackedIndex; problems: string[] };

/** Reads every chapter, resolves the links among them and makes their markup and the index. */
export const makeDocs = async (): Promise<Docs> => {
  const problems: string[] = [];
  const chapters = await Promise.all(chapterGroups.flatMap((group) => group.chapters).map(read));
  const targets = {
    pages: new Map(
      chapters.map(({ path, source, chapter: { title, headings } }) => [
        source,
        { path, title, anchors: new Set(headings.map(({ id }) => id)) },
      ]),
    ),
  };
  const pages = chapters.map(({ path, source, description, chapter }) => ({
    path,
    description,
    title: chapter.title,
    headings: chapter.headings,
    html: renderChapter({ source, chapter, targets, complain: (problem) => problems.push(problem) }),
  }));
  return { pages, index: searchIndexOf(chapters), problems };
};

type Read = Chapter & { source: string; chapter: ReadChapter };

const read = async (chapter: Chapter): Promise<Read> => {
  const source = chapter.source ?? chapter.path;
  const markdown =
    chapter.source === null
      ? cliReference(wholeProgram())
      : await Bun.file(join(projectRoot, chapter.source)).text();
  return { ...chapter, source, chapter: readChapter(source, markdown) };
};

/** The index of all chapters: a section for what stands before the first heading of each, and one for each heading. */
const searchIndexOf = (chapters: readonly { path: string; chapter: ReadChapter }[]): PackedIndex => {
  const pages: SearchIndex["pages"] = [];
  const sections: SearchIndex["sections"] = [];
  const texts: string[][] = [];
  for (const [page, { path, chapter }] of chapters.entries()) {
    pages.push([path, chapter.title]);
    for (const [index, tokens] of partsOf(chapter).entries()) {
      const heading = index === 0 ? null : chapter.headings[index - 1];
      sections.push([page, heading?.id ?? "", heading?.text ?? ""]);
      texts.push(wordsOf(plainText(tokens)));
    }
  }
  return packIndex({ pages, sections }, texts);
};

/**
 * What stands before the first heading, and below each, without files that are shown whole: their words are what no one searches for,
 * and take room in the index.
 */
const partsOf = ({ tokens }: ReadChapter): Token[][] => {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isHeading(token)) parts.push([]);
    else if (!isFile(token)) parts.at(-1)?.push(token);
  }
  return parts;
};

/** Whether a piece of code has a file's name. */
const isFile = (token: Token): boolean => token.type === "code" && /\s/.test(token.lang ?? "");

/** All chapters with their titles, in reading order. Throws for one that does not begin with its title. */
export const indexedChapters = (): Promise<IndexedGroup[]> =>
  Promise.all(
    chapterGroups.map(async ({ title, chapters }) => ({
      title,
      pages: await Promise.all(chapters.map(indexed)),
    })),
  );

const indexed = async (chapter: Chapter) => {
  const { path, source, description } = chapter;
  const text =
    source === null ? cliReference(wholeProgram()) : await Bun.file(join(projectRoot, source)).text();
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} does not begin with its title`);
  return { path, title: title.replaceAll("`", ""), description };
};
