import type { ClosedPage } from "#api/http/pages/ui-manifest.ts";
import { bundleScript } from "../ui/bundle-script.ts";
import type { ClientBundle } from "../ui/client-bundle.ts";
import { closedPolicy, placeIn } from "../ui/closed-page.ts";
import { escaped } from "../ui/escaped.ts";
import { appearance } from "../ui/page-document.ts";
import type { Shelf } from "../ui/shelf.ts";
import type { Assets } from "../ui/write-site.ts";
import { type DocsBody, docsBodies } from "./docs-document.ts";
import { docsStyles } from "./docs-styles.ts";
import { makeDocs } from "./make-docs.ts";

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
    const bytes = new TextEncoder().encode(documentOf(body, parts));
    const file = await shelf.storePacked(`pages${body.path}.html`, bytes);
    return [body.path, { ...file, type: "text/html; charset=utf-8", isImmutable: false, csp }] as const;
  });
  return Object.fromEntries(await Promise.all(written));
};

/** What the names of the documentation's own files begin with. */
export const docsFilePrefix = "docs-";

type PageParts = { painting: string; font: string; script: string; stylesheet: string; index: string };

const documentOf = ({ title, description, body }: DocsBody, parts: PageParts): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title><meta name="description" content="${escaped(description)}">`,
    appearance,
    `<script>${parts.painting}</script>`,
    `<link rel="preload" href="${parts.font}" as="font" type="font/woff2" crossorigin>`,
    `<link rel="stylesheet" href="${parts.stylesheet}">`,
    `<script type="module" src="${parts.script}" data-index="${parts.index}"></script></head>`,
    `<body>${body}</body></html>`,
  ].join("");
