import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ClosedPage } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import { ApiPageFrame } from "#ui/api-page/api-page-frame.tsx";
import { apiPageTexts as texts } from "#ui/api-page/texts.ts";
import { projectRoot } from "../project-root.ts";
import { bundleScript, type ClientBundle } from "./client-bundle.ts";
import { closedPolicy, placeIn } from "./closed-page.ts";
import { cutGaps } from "./cut-gaps.ts";
import { escaped } from "./escaped.ts";
import { appearance } from "./page-document.ts";
import type { Shelf } from "./shelf.ts";
import type { Assets } from "./write-site.ts";

/** The page with the API reference and forms to try it. */
export const apiPagePath = "/swagger";

type ApiPageJob = { client: ClientBundle; shelf: Shelf; assets: Assets };

/** Writes the page that shows the API, and adds the script and the stylesheet that it alone loads to `assets`. */
export const writeApiPage = async ({ client, shelf, assets }: ApiPageJob): Promise<ClosedPage> => {
  const place = placeIn(shelf, assets, apiFilePrefix);
  const [painting, script] = await Promise.all([
    bundleScript("api-page/paint-page.ts", "iife"),
    bundleScript("api-page/api-page.ts", "esm"),
  ]);
  const page = documentOf({
    client,
    painting,
    script: place("js", script),
    stylesheet: place("css", styles()),
  });
  const { bytes, gaps } = cutGaps(page);
  const file = await shelf.store("pages/api.html", bytes, false);
  // Swagger UI's signs are drawn in its stylesheet.
  return { ...file, csp: closedPolicy(painting, "'self' data:"), gaps };
};

/** What the names of the page's own files begin with. */
export const apiFilePrefix = "api-page-";

/** Swagger UI's own stylesheet, dark where the page is, and what makes it one of our pages. */
const styles = (): string => {
  const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
  const theirs = read("node_modules/swagger-ui-dist/swagger-ui.css");
  return theirs.replaceAll("html.dark-mode", "html.dark") + read("src/ui/api-page/api-page.css");
};

type DocumentParts = { client: ClientBundle; painting: string; script: string; stylesheet: string };

const documentOf = ({ client, painting, script, stylesheet }: DocumentParts): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(texts.title)} · ${markedSite.name}</title><meta name="robots" content="noindex">`,
    appearance,
    // Else the description would be asked for only when the script, which is large, has arrived and been read.
    '<link rel="preload" href="/swagger/json" as="fetch" crossorigin>',
    `<link rel="preload" href="${client.font}" as="font" type="font/woff2" crossorigin>`,
    `<script>${painting}</script>`,
    `<link rel="stylesheet" href="${client.stylesheet}"><link rel="stylesheet" href="${stylesheet}">${markOf("look")}`,
    `<script type="module" src="${script}"></script></head>`,
    `<body>${renderToStaticMarkup(createElement(ApiPageFrame))}</body></html>`,
  ].join("");
