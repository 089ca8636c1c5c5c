import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { BuiltFile, BuiltPage, OpenPage, UiManifest } from "#api/http/pages/ui-manifest.ts";
import type { RenderedPage } from "#ui/prerender.tsx";
import type { ClientBundle } from "./client-bundle.ts";
import { compressAll, deflateOpen } from "./compress.ts";
import { pageHead, pageTail, visitorSession } from "./page-document.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

type Site = { clientDir: string; outDir: string; client: ClientBundle; pages: RenderedPage[] };

/** Writes every file in all its codings below `outDir`, and the manifest that names them. */
export const writeSite = ({ clientDir, outDir, client, pages }: Site): void => {
  const assets: UiManifest["assets"] = {};
  for (const name of filesBelow(clientDir)) {
    assets[`/${name}`] = store(outDir, name, readFileSync(join(clientDir, name)), name.startsWith("assets/"));
  }
  const built = pages.map((page): [string, BuiltPage] => [page.path, writePage(outDir, page, client)]);
  const notFound = built.at(-1)?.[1];
  if (notFound === undefined) throw new Error("there are no pages");
  const manifest: UiManifest = {
    assets,
    pages: Object.fromEntries(built.slice(0, -1)),
    notFound,
    tail: pageTail,
  };
  write(outDir, "manifest.json", new TextEncoder().encode(JSON.stringify(manifest)));
};

// Vite's own manifest lies in a dot folder: it is for the build alone.
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes("/.vite/"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const writePage = (outDir: string, page: RenderedPage, client: ClientBundle): BuiltPage => {
  const name = page.path === "*" ? "not-found" : `home${page.path}`.replace(/\/$/, "").replaceAll("/", ".");
  const open = (kind: string, body: string): OpenPage => {
    const { head, csp } = pageHead(page, body, client);
    const bytes = new TextEncoder().encode(head);
    const file = `pages/${name}.${kind}.html`;
    write(outDir, file, bytes);
    write(outDir, `${file}.deflate`, deflateOpen(bytes));
    return { head: file, headDeflated: `${file}.deflate`, headCrc: crc32(bytes), csp };
  };
  const built: BuiltPage = {
    access: page.access,
    member: open("member", page.member),
    unsure: open("unsure", page.unsure),
  };
  if (page.visitor === null) return built;
  const { head, csp } = pageHead(page, page.visitor, client);
  const whole = new TextEncoder().encode(head + visitorSession + pageTail);
  return { ...built, visitor: { ...store(outDir, `pages/${name}.html`, whole, false), csp } };
};

const store = (outDir: string, name: string, bytes: Uint8Array, isImmutable: boolean): BuiltFile => {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`no media type is known for ${name}`);
  const isPacked = extname(name) === ".woff2";
  const files: BuiltFile["files"] = { identity: name };
  for (const [coding, coded] of isPacked ? [] : compressAll(bytes)) {
    if (coding === "identity") continue;
    files[coding] = `${name}.${coding}`;
    write(outDir, files[coding] ?? name, coded);
  }
  write(outDir, name, bytes);
  return { type, etag: hash(bytes), isImmutable, files };
};

const hash = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);

const write = (outDir: string, name: string, bytes: Uint8Array): void => {
  const path = join(outDir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
};
