import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { BuiltFile, UiManifest } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { indexedChapters } from "../docs/indexed-chapters.ts";
import { writeDocs } from "../docs/write-docs.ts";
import type { ClientBundle } from "./client-bundle.ts";
import { compressAll } from "./compress.ts";
import { crawlerTexts } from "./crawler-texts.ts";
import { fetchedTexts } from "./fetched-texts.ts";
import { buildHostFiles } from "./host-files.ts";
import { llmsText } from "./llms-text.ts";
import { pageTail } from "./page-document.ts";
import { apiPagePath, writeApiPage } from "./write-api-page.ts";
import { writePage } from "./write-page.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Compressed in themselves: another coding would only cost time. */
const packed: readonly string[] = [".woff2", ".png", ".ico"];

/** Writes bytes below the folder of the build, in all their codings. */
export type Store = (name: string, bytes: Uint8Array, isImmutable: boolean) => BuiltFile;

/** Writes one file below the folder of the build as it is; gives its name back. */
export type Write = (name: string, bytes: Uint8Array) => string;

type Site = { clientDir: string; outDir: string; client: ClientBundle; pages: RenderedPage[] };

/** Writes every file in all its codings below `outDir`, and the manifest that names them. */
export const writeSite = async ({ clientDir, outDir, client, pages }: Site): Promise<void> => {
  const write: Write = (name, bytes) => {
    const path = join(outDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return name;
  };
  const store = storeWith(write);
  const assets: UiManifest["assets"] = {};
  for (const name of filesBelow(clientDir)) {
    assets[`/${name}`] = store(name, readFileSync(join(clientDir, name)), name.startsWith("assets/"));
  }
  for (const [name, text] of Object.entries(await fetchedTexts())) {
    assets[`/${name}`] = store(name, new TextEncoder().encode(text), false);
  }
  const built = await Promise.all(pages.map((page) => writePage({ page, client, write, store })));
  const notFound = built.at(-1);
  if (notFound === undefined) throw new Error("there are no pages");
  const docs = await writeDocs({ client, write, assets });
  const manifest: UiManifest = {
    assets,
    texts: { ...crawlerTexts(pages, Object.keys(docs)), "/llms.txt": llmsText(await indexedChapters()) },
    pages: Object.fromEntries(pages.slice(0, -1).map(({ path }, index) => [path, built[index] ?? notFound])),
    notFound,
    documents: { ...docs, [apiPagePath]: await writeApiPage({ client, write, store, assets }) },
    hostFiles: await storeHostFiles(store),
    tail: pageTail,
  };
  write("manifest.json", new TextEncoder().encode(JSON.stringify(manifest)));
};

const storeHostFiles = async (store: Store): Promise<Record<string, BuiltFile>> =>
  Object.fromEntries(
    [...(await buildHostFiles())].map(([name, bytes]) => [name, store(`plugin-host/${name}`, bytes, false)]),
  );

// Vite's own manifest lies in a dot folder: it is for the build alone.
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes("/.vite/"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const storeWith =
  (write: Write): Store =>
  (name, bytes, isImmutable) => {
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) throw new Error(`no media type is known for ${name}`);
    const files: BuiltFile["files"] = { identity: write(name, bytes) };
    // The application's files have a budget, and are few.
    const codings = packed.includes(extension) ? [] : compressAll(bytes, { isTight: true });
    for (const [coding, coded] of codings) {
      if (coding !== "identity") files[coding] = write(`${name}.${coding}`, coded);
    }
    return { type, etag: hashOf(bytes), isImmutable, files };
  };

/** What a file's entity tag and, where it may be kept forever, its name are made from. */
export const hashOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
