import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commonPasswords } from "#api/core/password-policy.ts";
import type { BuiltFile, BuiltPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import { commonPasswordsPath } from "#ui/lib/common-passwords.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import { indexedChapters } from "../docs/make-docs.ts";
import { writeDocs } from "../docs/write-docs.ts";
import { buildHostFiles, type ClientBundle } from "./client-bundle.ts";
import { crawlerTexts, llmsText, webManifest } from "./crawler-texts.ts";
import { pageTail } from "./page-document.ts";
import type { Shelf } from "./shelf.ts";
import { apiPagePath, writeApiPage } from "./write-api-page.ts";
import { writePage } from "./write-page.ts";

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
