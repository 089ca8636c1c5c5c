import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { commonPasswords } from "#api/core/password-policy.ts";
import { deflateOpen } from "#api/http/pages/open-page.ts";
import type { BuiltFile, BuiltPage, ClosedPage, OpenPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { markedSite, markOf } from "#contract/site.ts";
import { ApiPageFrame } from "#ui/api-page/api-page-frame.tsx";
import { apiPageTexts as texts } from "#ui/api-page/texts.ts";
import { commonPasswordsPath } from "#ui/lib/common-passwords.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { indexedChapters, writeDocs } from "../docs/write-docs.ts";
import { projectRoot } from "../project-root.ts";
import { buildHostFiles, bundleScript, type ClientBundle } from "./client-bundle.ts";
import { crawlerTexts, llmsText, webManifest } from "./crawler-texts.ts";
import {
  appearance,
  closedPolicy,
  cutGaps,
  escaped,
  isAddressed,
  pageHead,
  pageTail,
  placeIn,
  visitorSession,
} from "./page-document.ts";
import { hashOf, type Shelf } from "./shelf.ts";

/** Files by their addresses, still being written. */
export type Assets = Map<string, Promise<BuiltFile>>;

type Site = { clientDir: string; client: ClientBundle; pages: RenderedPage[]; shelf: Shelf };

/** Writes every file in all its codings, and the manifest that names them. */
export const writeSite = async ({ clientDir, client, pages, shelf }: Site): Promise<void> => {
  const assets: Assets = new Map();
  const add = (name: string, bytes: Uint8Array, isImmutable: boolean) =>
    assets.set(`/${name}`, shelf.store(name, bytes, isImmutable));
  for (const name of filesBelow(clientDir))
    add(name, readFileSync(join(clientDir, name)), name.startsWith("assets/"));
  add(commonPasswordsPath.slice(1), new TextEncoder().encode(await passwordList()), false);
  const [apiPage, docs, built] = await Promise.all([
    // First: its script takes longest to be compressed.
    writeApiPage({ client, shelf, assets }),
    writeDocs({ client, shelf, assets }),
    Promise.all(pages.map((page) => writePage({ page, client, shelf }))),
  ]);
  const paged = pages.map((page, at) => ({ ...page, built: built[at] }));
  const notFound = built.at(-1);
  if (notFound === undefined) throw new Error("there are no pages");
  const manifest: UiManifest = {
    assets: await settled(assets),
    texts: {
      ...crawlerTexts(
        pages.filter(({ variant }) => variant === undefined),
        Object.keys(docs),
      ),
      "/llms.txt": llmsText(await indexedChapters()),
      "/manifest.webmanifest": webManifest,
    },
    pages: Object.fromEntries(
      paged.flatMap(({ path, variant, built = notFound }) =>
        variant === undefined && built !== notFound ? [[path, built]] : [],
      ),
    ),
    variants: variantsOf(paged),
    notFound,
    documents: { ...docs, [apiPagePath]: apiPage },
    hostFiles: await storeHostFiles(shelf),
    tail: pageTail,
  };
  shelf.write("manifest.json", new TextEncoder().encode(JSON.stringify(manifest)));
};

const variantsOf = (pages: readonly (RenderedPage & { built: BuiltPage | undefined })[]) => {
  const variants: NonNullable<UiManifest["variants"]> = {};
  for (const { path, variant, built } of pages)
    if (variant !== undefined && built !== undefined)
      variants[path] = { ...variants[path], [variant]: built };
  return variants;
};

/** In the order of their names, whichever was ready first: the same sources make the same manifest. */
const settled = async (assets: Assets): Promise<Record<string, BuiltFile>> => {
  const entries = [...assets].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    await Promise.all(entries.map(async ([path, file]) => [path, await file] as const)),
  );
};

const storeHostFiles = async (shelf: Shelf): Promise<Record<string, BuiltFile>> => {
  const files = [...(await buildHostFiles())];
  const stored = files.map(
    async ([name, bytes]) => [name, await shelf.store(`plugin-host/${name}`, bytes, false)] as const,
  );
  return Object.fromEntries(await Promise.all(stored));
};

// Vite's own manifest lies in a dot folder: it is for the build alone.
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes("/.vite/"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** The passwords that the server refuses as too common, one a line. Sorted they are a third smaller. */
const passwordList = async (): Promise<string> => [...(await commonPasswords())].sort().join("\n");

type PageJob = { page: RenderedPage; client: ClientBundle; shelf: Shelf };

/** Writes one page in every form in which it is sent: for visitors whole, for others open for their session. */
const writePage = async ({ page, client, shelf }: PageJob): Promise<BuiltPage> => {
  const at = `home${page.path}`.replace(/\/$/, "") + (page.variant === undefined ? "" : `_${page.variant}`);
  const name = `pages/${page.path === "*" ? "not-found" : at.replaceAll("/", ".")}`;
  const open = (reader: "member" | "unsure", body: string): OpenPage => {
    const { html, csp } = pageHead({ page, reader, body, client });
    const { bytes, gaps } = cutGaps(html);
    // Named by what it holds: pages of plugins differ in their path alone, which is not in it.
    return {
      headDeflated: shelf.write(`pages/${hashOf(bytes)}.html.deflate`, deflateOpen(bytes)),
      headCrc: crc32(bytes),
      csp,
      gaps,
    };
  };
  const built: BuiltPage = {
    access: page.access,
    loads: { scripts: client.chunksOf(page.source), styles: [client.stylesheet] },
    member: open("member", page.member),
    unsure: open("unsure", page.unsure),
  };
  if (page.visitor === null) return built;
  const { html, csp } = pageHead({ page, reader: "visitor", body: page.visitor, client });
  const visitor = await storeClosed(`${name}.html`, html + visitorSession + pageTail, shelf);
  return { ...built, visitor: { ...visitor, csp } };
};

const storeClosed = async (name: string, html: string, shelf: Shelf): Promise<Omit<ClosedPage, "csp">> => {
  const cut = cutGaps(html);
  const { bytes, gaps } = cut;
  if (!isAddressed(cut)) return { ...(await shelf.store(name, bytes, false)), gaps };
  const files = { identity: shelf.write(name, bytes) };
  return { type: "text/html; charset=utf-8", etag: hashOf(bytes), isImmutable: false, files, gaps };
};

/** The page with the API reference and forms to try it. */
export const apiPagePath = "/swagger";

type ApiPageJob = { client: ClientBundle; shelf: Shelf; assets: Assets };

/** Writes the page that shows the API, and adds the script and the stylesheet that it alone loads to `assets`. */
const writeApiPage = async ({ client, shelf, assets }: ApiPageJob): Promise<ClosedPage> => {
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
