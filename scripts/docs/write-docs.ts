import { join } from "node:path";
import type { BuiltFile, ClosedPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { projectRoot } from "../project-root.ts";
import type { ClientBundle } from "../ui/client-bundle.ts";
import { compressAll } from "../ui/compress.ts";
import { escaped } from "../ui/escaped.ts";
import { appearance, hash } from "../ui/page-document.ts";
import { hashOf, type Write } from "../ui/write-site.ts";
import { type DocsBody, docsBodies } from "./docs-document.ts";
import { docsStyles } from "./docs-styles.ts";
import { makeDocs } from "./make-docs.ts";

type DocsJob = { client: ClientBundle; write: Write; assets: UiManifest["assets"] };

/**
 * Writes every page of the documentation, and adds what they alone load to `assets`. Throws, naming each, when a link leads
 * nowhere or something cannot be rendered.
 */
export const writeDocs = async ({ client, write, assets }: DocsJob): Promise<Record<string, ClosedPage>> => {
  const { pages, index, problems } = await makeDocs();
  if (problems.length > 0) throw new Error(`the documentation cannot be built:\n${problems.join("\n")}`);
  const bodies = docsBodies(pages);
  const place = (extension: keyof typeof types, text: string): string => {
    const bytes = new TextEncoder().encode(text);
    const name = `assets/${docsFilePrefix}${hashOf(bytes).slice(0, 8)}.${extension}`;
    assets[`/${name}`] = { ...packed(write, name, bytes), type: types[extension], isImmutable: true };
    return `/${name}`;
  };
  const [painting, script, styles] = await Promise.all([
    bundle("paint-docs.ts", "iife"),
    bundle("docs.ts", "esm"),
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
  const csp = policy(painting);
  return Object.fromEntries(
    bodies.map((body) => {
      const bytes = new TextEncoder().encode(documentOf(body, parts));
      const name = `pages${body.path}.html`;
      return [body.path, { ...packed(write, name, bytes), type: "text/html; charset=utf-8", csp }];
    }),
  );
};

/** What the names of the documentation's own files begin with. */
export const docsFilePrefix = "docs-";

const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
} as const;

const bundle = async (file: string, format: "iife" | "esm"): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(projectRoot, "src/ui/docs-site", file)],
    target: "browser",
    format,
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${file} was not built`);
  return (await output.text()).trim();
};

/** Two forms of a file: there are many, and more would be felt in the executable. */
const packed = (write: Write, name: string, bytes: Uint8Array): Omit<BuiltFile, "type"> => {
  const coded = compressAll(bytes);
  const form = (coding: "br" | "gzip") => write(`${name}.${coding}`, coded.get(coding) ?? bytes);
  const gzip = form("gzip");
  return {
    etag: hashOf(bytes),
    isImmutable: false,
    isPacked: true,
    files: { br: form("br"), gzip, identity: gzip },
  };
};

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

const policy = (painting: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hash(painting)}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
