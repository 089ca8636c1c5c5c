import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inertPolicy } from "../security-headers.ts";
import { readyCodings, rememberedChoice } from "./negotiate.ts";
import {
  addressPage,
  type Hold,
  heldAtOnce,
  heldWhenWanted,
  type LoadedOpenPage,
  type LoadedPart,
  openCodings,
} from "./open-page.ts";
import {
  type AddressedPage,
  type BuiltFile,
  type BuiltPage,
  type BuiltText,
  type ClosedPage,
  type Coding,
  type OpenPage,
  originMark,
  type PageLoads,
  type PagePart,
  type UiManifest,
} from "./ui-manifest.ts";

/** One coding of a file: its bytes and every header of its answer. */
type Form = { bytes: Uint8Array<ArrayBuffer>; etag: string; headers: Record<string, string> };

/** A file; `choose` picks the form for an `Accept-Encoding` header. */
export type LoadedFile = { choose: (acceptEncoding: string | null) => Form };

export type LoadedPage = {
  access: BuiltPage["access"];
  loads: PageLoads;
  visitor: LoadedFile | null;
  member: LoadedOpenPage;
  unsure: LoadedOpenPage;
};

/** The whole user interface, by exact path. */
export type Site = {
  assets: ReadonlyMap<string, LoadedFile>;
  pages: ReadonlyMap<string, LoadedPage>;
  /** Paths of pages that serve all paths below a folder. */
  folders: readonly string[];
  notFound: LoadedPage;
  /** Pages that are the same for every reader. */
  documents: ReadonlyMap<string, LoadedFile>;
  /** Scripts for plugins' frontends, by file name. */
  hostFiles: ReadonlyMap<string, LoadedFile>;
  tail: string;
};

type SiteOptions = {
  dir: string;
  /** The public origin, put into every page and text that names its own address. */
  origin: string;
  /** Headers of every answer. */
  common: Record<string, string>;
  /**
   * No one can change the files while this runs: each form is read when it is first wanted. Otherwise all are read at
   * once, so that a build that comes meanwhile does not mix with this one.
   */
  isLasting: boolean;
};

/** Reads what the build left in `dir`; `null` when there is no build. */
export const loadSite = ({ dir, origin, common, isLasting }: SiteOptions): Site | null => {
  if (!existsSync(join(dir, "manifest.json"))) return null;
  const manifest = readManifest(dir);
  const hold: Hold = isLasting ? heldWhenWanted : heldAtOnce;
  const files = { dir, hold };
  const asset = (built: BuiltFile) => loadFile(files, built, { ...common, ...assetHeaders(built) });
  const text = ({ type, text }: BuiltText) => {
    const bytes = new TextEncoder().encode(text.replaceAll(originMark, origin));
    return fileOf(new Map([["identity", () => bytes]]), hashOf(bytes), {
      ...common,
      ...assetHeaders({ isImmutable: false }),
      "content-type": type,
    });
  };
  const document = (built: ClosedPage) =>
    loadFile(files, built, { ...common, ...assetHeaders(built), "content-security-policy": built.csp });
  const visitor = (built: ClosedPage | AddressedPage): LoadedFile => {
    const headers = { ...common, ...pageHeaders(built, "no-cache") };
    if ("files" in built) return loadFile(files, built, headers);
    return loadAddressed(dir, built, { headers, origin });
  };
  const page = (built: BuiltPage): LoadedPage => {
    const closed = hold(() => (built.visitor === undefined ? null : visitor(built.visitor)));
    const member = hold(() => loadOpen(dir, built.member, common));
    const unsure = hold(() => loadOpen(dir, built.unsure, common));
    return {
      access: built.access,
      loads: built.loads,
      get visitor() {
        return closed();
      },
      get member() {
        return member();
      },
      get unsure() {
        return unsure();
      },
    };
  };
  return {
    assets: new Map([...mapOf(manifest.assets, asset), ...mapOf(manifest.texts, text)]),
    pages: mapOf(manifest.pages, page),
    folders: Object.keys(manifest.pages).filter((path) => path.endsWith("/*")),
    notFound: page(manifest.notFound),
    documents: mapOf(manifest.documents ?? {}, document),
    hostFiles: mapOf(manifest.hostFiles ?? {}, asset),
    tail: manifest.tail,
  };
};

const readManifest = (dir: string): UiManifest =>
  asUiManifest(JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")));

/** Trusts what it is given: the build of this very version wrote it. */
const asUiManifest = (json: unknown): UiManifest => json as UiManifest;

const mapOf = <From, To>(record: Record<string, From>, change: (value: From) => To): Map<string, To> =>
  new Map(Object.entries(record).map(([key, value]) => [key, change(value)]));

const assetHeaders = ({ isImmutable }: { isImmutable: boolean }): Record<string, string> => ({
  "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache",
  vary: "accept-encoding",
  "content-security-policy": inertPolicy,
});

const pageHeaders = ({ csp }: { csp: string }, cacheControl: string): Record<string, string> => ({
  "content-security-policy": csp,
  "cache-control": cacheControl,
  vary: "accept-encoding, cookie",
});

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

type Files = { dir: string; hold: Hold };

const loadFile = ({ dir, hold }: Files, built: BuiltFile, headers: Record<string, string>): LoadedFile => {
  const codings = readyCodings(built.files);
  const bytes = (coding: Coding) =>
    hold(() => {
      const content = read(dir, built.files[coding] ?? built.files.identity);
      return coding === "identity" && built.isPacked ? new Uint8Array(gunzipSync(content)) : content;
    });
  return fileOf(new Map(codings.map((coding) => [coding, bytes(coding)])), built.etag, {
    ...headers,
    "content-type": built.type,
  });
};

type AddressedOptions = { headers: Record<string, string>; origin: string };

const loadAddressed = (dir: string, built: AddressedPage, options: AddressedOptions): LoadedFile => {
  const { type, tags, roomBytes } = built;
  const part = ({ identity, deflate, br }: PagePart): LoadedPart => ({
    identity: read(dir, identity),
    deflate: read(dir, deflate),
    br: read(dir, br),
  });
  const halves = { before: part(built.before), after: part(built.after), roomBytes };
  const forms = addressPage(halves, tags.replaceAll(originMark, options.origin));
  // The tag follows the bytes as they are sent: another public address is another page.
  const etag = hashOf(forms.get("identity") ?? halves.after.identity);
  const ready = new Map([...forms].map(([coding, bytes]) => [coding, () => bytes]));
  return fileOf(ready, etag, { ...options.headers, "content-type": type });
};

/** A file from its bytes by coding; the identity form is among them. */
const fileOf = (
  contents: ReadonlyMap<Coding, () => Uint8Array<ArrayBuffer>>,
  hash: string,
  headers: Record<string, string>,
): LoadedFile => {
  const form = (coding: Coding, content: () => Uint8Array<ArrayBuffer>): Form => {
    const etag = coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`;
    const encoded = coding === "identity" ? {} : { "content-encoding": coding };
    return {
      get bytes() {
        return content();
      },
      etag,
      headers: { ...headers, etag, ...encoded },
    };
  };
  const forms = new Map([...contents].map(([coding, content]) => [coding, form(coding, content)]));
  const identity = forms.get("identity");
  if (identity === undefined) throw new Error("a file has no plain form");
  const choose = rememberedChoice(readyCodings(Object.fromEntries(forms)));
  return { choose: (header) => forms.get(choose(header)) ?? identity };
};

const hashOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Picks the coding of pages that hold a session. */
export const chooseOpenCoding = rememberedChoice(openCodings);

const read = (dir: string, name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(dir, name)));
