import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { BuiltFile, ClosedPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { ApiPageFrame } from "#ui/api-page/api-page-frame.tsx";
import { apiPageTexts as texts } from "#ui/api-page/texts.ts";
import { projectRoot } from "../project-root.ts";
import type { ClientBundle } from "./client-bundle.ts";
import { compressAll } from "./compress.ts";
import { escaped } from "./escaped.ts";
import { appearance, hash } from "./page-document.ts";
import { hashOf, type Store, type Write } from "./write-site.ts";

/** Where people read the description of the API, and try it. */
export const apiPagePath = "/swagger";

type ApiPageJob = { client: ClientBundle; write: Write; store: Store; assets: UiManifest["assets"] };

/** Writes the page that shows the API, and adds the script and the stylesheet that it alone loads to `assets`. */
export const writeApiPage = async ({ client, write, store, assets }: ApiPageJob): Promise<ClosedPage> => {
  const encoder = new TextEncoder();
  const place = (extension: keyof typeof types, text: string): string => {
    const bytes = encoder.encode(text);
    const name = `assets/${apiFilePrefix}${hashOf(bytes).slice(0, 8)}.${extension}`;
    assets[`/${name}`] = { type: types[extension], ...storePacked(write, name, bytes) };
    return `/${name}`;
  };
  const [painting, script] = await Promise.all([
    bundle("paint-page.ts", "iife"),
    bundle("api-page.ts", "esm"),
  ]);
  const page = documentOf({
    client,
    painting,
    script: place("js", script),
    stylesheet: place("css", styles()),
  });
  return { ...store("pages/api.html", encoder.encode(page), false), csp: policy(painting) };
};

/** What the names of the page's own files begin with. */
export const apiFilePrefix = "api-page-";

const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" } as const;

const bundle = async (file: string, format: "iife" | "esm"): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(projectRoot, "src/ui/api-page", file)],
    target: "browser",
    format,
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${file} was not built`);
  return (await output.text()).trim();
};

/** Swagger UI's own stylesheet, dark where the page is, and what makes it one of our pages. */
const styles = (): string => {
  const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
  const theirs = read("node_modules/swagger-ui-dist/swagger-ui.css");
  return theirs.replaceAll("html.dark-mode", "html.dark") + read("src/ui/api-page/api-page.css");
};

/** Keeps two forms of a file so large that each more would be felt in the executable. */
const storePacked = (write: Write, name: string, bytes: Uint8Array): Omit<BuiltFile, "type"> => {
  const coded = compressAll(bytes);
  const form = (coding: "br" | "gzip") => write(`${name}.${coding}`, coded.get(coding) ?? bytes);
  const gzip = form("gzip");
  return {
    etag: hashOf(bytes),
    isImmutable: true,
    isPacked: true,
    files: { br: form("br"), gzip, identity: gzip },
  };
};

type DocumentParts = { client: ClientBundle; painting: string; script: string; stylesheet: string };

const documentOf = ({ client, painting, script, stylesheet }: DocumentParts): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(texts.title)} · Atrium</title><meta name="robots" content="noindex">`,
    appearance,
    // Else the description would be asked for only when the script, which is large, has arrived and been read.
    '<link rel="preload" href="/swagger/json" as="fetch" crossorigin>',
    `<link rel="preload" href="${client.font}" as="font" type="font/woff2" crossorigin>`,
    `<script>${painting}</script>`,
    `<link rel="stylesheet" href="${client.stylesheet}"><link rel="stylesheet" href="${stylesheet}">`,
    `<script type="module" src="${script}"></script></head>`,
    `<body>${renderToStaticMarkup(createElement(ApiPageFrame))}</body></html>`,
  ].join("");

const policy = (painting: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hash(painting)}`,
    "style-src 'self'",
    // Its signs are drawn in its stylesheet.
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
