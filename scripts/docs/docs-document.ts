import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { DocsFrame, type NavEntry, type NavGroup } from "#ui/docs-site/docs-frame.tsx";
import { DocsIndexPage } from "#ui/docs-site/docs-index-page.tsx";
import { docsTexts as texts } from "#ui/docs-site/texts.ts";
import { escaped } from "../ui/escaped.ts";
import { chapterGroups, docsPath } from "./chapters.ts";
import type { DocsPage } from "./make-docs.ts";

/** A page's markup below `body`, with what its head says of it. */
export type DocsBody = { path: string; title: string; description: string; body: string };

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
  title: `${texts.name} · Atrium`,
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
    title: `${title} · ${texts.name} · Atrium`,
    description,
    body: frame.replace(place, () => `<h1>${escaped(title)}</h1>${html}`),
  };
};

// React writes what it is given as text; the chapter's markup comes from a renderer of its own.
const place = "{chapter}";
