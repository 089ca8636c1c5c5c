import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readyCodings, rememberedChoice } from "./negotiate.ts";
import { type LoadedOpenPage, openCodings } from "./open-page.ts";
import type { BuiltFile, BuiltPage, ClosedPage, Coding, OpenPage, UiManifest } from "./ui-manifest.ts";

/** One coding of a file: its bytes and every header of its answer. */
export type Form = { bytes: Uint8Array<ArrayBuffer>; etag: string; headers: Record<string, string> };

/** A file in memory; `choose` picks the form for an `Accept-Encoding` header. */
export type LoadedFile = { choose: (acceptEncoding: string | null) => Form };

export type LoadedPage = {
  access: BuiltPage["access"];
  visitor: LoadedFile | null;
  member: LoadedOpenPage;
  unsure: LoadedOpenPage;
};

/** The whole user interface in memory, by exact path. */
export type Site = {
  assets: ReadonlyMap<string, LoadedFile>;
  pages: ReadonlyMap<string, LoadedPage>;
  notFound: LoadedPage;
  tail: string;
};

type SiteOptions = { dir: string; common: Record<string, string> };

/** Reads what the build left in `dir`; `null` when there is no build. `common` are the headers of every answer. */
export const loadSite = ({ dir, common }: SiteOptions): Site | null => {
  if (!existsSync(join(dir, "manifest.json"))) return null;
  const manifest = readManifest(dir);
  const file = (built: BuiltFile, more: Record<string, string>) =>
    loadFile(dir, built, { ...common, ...more });
  const page = (built: BuiltPage) => loadPage(dir, built, common);
  return {
    assets: mapOf(manifest.assets, (built) => file(built, assetHeaders(built))),
    pages: mapOf(manifest.pages, page),
    notFound: page(manifest.notFound),
    tail: manifest.tail,
  };
};

const readManifest = (dir: string): UiManifest =>
  asUiManifest(JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")));

/** Trusts what it is given: the build of this very version wrote it. */
const asUiManifest = (json: unknown): UiManifest => json as UiManifest;

const mapOf = <From, To>(record: Record<string, From>, change: (value: From) => To): Map<string, To> =>
  new Map(Object.entries(record).map(([key, value]) => [key, change(value)]));

const assetHeaders = ({ isImmutable }: BuiltFile): Record<string, string> => ({
  "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache",
  vary: "accept-encoding",
  // Should a browser ever be led to a file as to a page, it may do nothing there.
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});

const pageHeaders = ({ csp }: { csp: string }, cacheControl: string): Record<string, string> => ({
  "content-security-policy": csp,
  "cache-control": cacheControl,
  vary: "accept-encoding, cookie",
});

const loadPage = (dir: string, built: BuiltPage, common: Record<string, string>): LoadedPage => ({
  access: built.access,
  visitor: built.visitor === undefined ? null : loadClosed(dir, built.visitor, common),
  member: loadOpen(dir, built.member, common),
  unsure: loadOpen(dir, built.unsure, common),
});

const loadClosed = (dir: string, built: ClosedPage, common: Record<string, string>): LoadedFile =>
  loadFile(dir, built, { ...common, ...pageHeaders(built, "no-cache") });

const loadOpen = (dir: string, built: OpenPage, common: Record<string, string>): LoadedOpenPage => ({
  head: read(dir, built.head),
  headDeflated: read(dir, built.headDeflated),
  headCrc: built.headCrc,
  headers: {
    ...common,
    ...pageHeaders(built, "private, no-store"),
    "content-type": "text/html; charset=utf-8",
  },
});

const loadFile = (dir: string, built: BuiltFile, headers: Record<string, string>): LoadedFile => {
  const form = (coding: Coding): Form => {
    const etag = coding === "identity" ? `"${built.etag}"` : `"${built.etag}-${coding}"`;
    const name = built.files[coding] ?? built.files.identity;
    const encoded = coding === "identity" ? {} : { "content-encoding": coding };
    return {
      bytes: read(dir, name),
      etag,
      headers: { ...headers, "content-type": built.type, etag, ...encoded },
    };
  };
  const identity = form("identity");
  const ready = readyCodings(built.files);
  const forms = new Map(ready.map((coding) => [coding, coding === "identity" ? identity : form(coding)]));
  const choose = rememberedChoice(ready);
  return { choose: (header) => forms.get(choose(header)) ?? identity };
};

/** Picks the coding of pages that hold a session. */
export const chooseOpenCoding = rememberedChoice(openCodings);

const read = (dir: string, name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(dir, name)));
