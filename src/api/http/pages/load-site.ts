import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, crc32, gunzipSync, gzipSync } from "node:zlib";
import { builtFolder } from "#api/db/bundled-files.ts";
import { type DocsReaders, programSite } from "#contract/program-site.ts";
import { fillMarks, legalNames, siteOf } from "#contract/site.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { inertPolicy } from "../security-headers.ts";
import {
  deflateOpen,
  type Hold,
  heldAtOnce,
  heldWhenWanted,
  inflateOpen,
  type LoadedOpenPage,
  type OpenHead,
  openCodings,
  readyCodings,
  rememberedChoice,
} from "./open-page.ts";
import { fillGaps, type SiteValues, siteValues, unsetValues, withLook, writings } from "./site-values.ts";
import type {
  BuiltFile,
  BuiltPage,
  BuiltText,
  ClosedPage,
  Coding,
  Gap,
  OpenPage,
  PageLoads,
  UiManifest,
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
  /** Pages that are on other sites: their URLs, by path. */
  links: ReadonlyMap<string, string>;
  /** Who may read what is about the program. */
  docs: DocsReaders;
  tail: string;
};

type SiteOptions = {
  dir: string;
  /** The public origin, put into every page and text that names its own address. */
  origin: string;
  /** Headers of every answer. */
  common: Record<string, string>;
  /**
   * No one can change the files while this runs: each is read when it is first wanted. Otherwise all are read at once, so
   * that a build that comes meanwhile does not mix with this one.
   */
  isLasting: boolean;
};

/** The user interface for an identity of the site, where registration is closed or not. What is filled for one is forgotten when there is another. */
export type OpenSite = (identity: SiteSettings, isClosed?: boolean) => Site;

/** Reads what the build left in `dir`; `null` when there is no build. */
export const openSite = ({ dir, origin, common, isLasting }: SiteOptions): OpenSite | null => {
  if (!existsSync(join(dir, "manifest.json"))) return null;
  const manifest = readManifest(dir);
  const files = new Map<string, () => Uint8Array<ArrayBuffer>>();
  const hold: Hold = isLasting ? heldWhenWanted : heldAtOnce;
  const file: Files = (name) => {
    const held = files.get(name) ?? hold(() => new Uint8Array(readFileSync(join(dir, name))));
    files.set(name, held);
    return held;
  };
  const pack = createPacker();
  let current: SiteValues | undefined;
  return (set, isClosed) => {
    const identity = { ...set, home: shownHome(manifest, set.home) };
    const values = siteValues(identity, origin, isClosed);
    current = values;
    return siteWith(manifest, { file, common, identity, values, pack, isCurrent: () => current === values });
  };
};

/** The home page in a build: the one that is set, or the landing page where that is gone. */
const shownHome = ({ variants }: UiManifest, home: string): string =>
  Object.hasOwn(variants?.["/"] ?? {}, home) ? home : programSite.home;

/** The pages that can be the home page instead of the landing page, in the build in `dir`; `null` where there is none. */
export const builtHomes = (dir: string = builtFolder("ui")): string[] | null =>
  existsSync(join(dir, "manifest.json")) ? Object.keys(readManifest(dir).variants?.["/"] ?? {}) : null;

/** The bytes of a built file, by its name. */
type Files = (name: string) => () => Uint8Array<ArrayBuffer>;

type Parts = Parameters<typeof fillDocument>[1] & {
  file: Files;
  common: Record<string, string>;
  identity: SiteSettings;
};

const siteWith = (manifest: UiManifest, parts: Parts): Site => {
  const { file, common, identity, values } = parts;
  const asset = (built: BuiltFile) => loadFile(file, built, { ...common, ...assetHeaders(built) });
  const listed = (text: string) =>
    identity.docs === "everybody" ? text : text.replace(/ *<url><loc>[^<]*\/docs\b.*\n/g, "");
  const text = ({ type, text }: BuiltText) =>
    loadText({ type, text: listed(text) }, values, { ...common, ...assetHeaders() });
  const document = (built: ClosedPage) => loadDocument(parts, built, assetHeaders(built));
  const page = (built: BuiltPage): LoadedPage => {
    const { visitor: closed } = built;
    const visitor =
      closed && loadDocument(parts, closed, { "cache-control": "no-cache", vary: "accept-encoding, cookie" });
    const member = loadOpen(parts, built.member);
    const unsure = loadOpen(parts, built.unsure);
    return {
      access: built.access,
      loads: built.loads,
      visitor: visitor ?? null,
      get member() {
        return member();
      },
      get unsure() {
        return unsure();
      },
    };
  };
  const pages = mapOf(manifest.pages, page);
  // All of them are taken into memory where the files may change, as whichever is set next has to be of this build.
  const variants = mapOf(manifest.variants ?? {}, (words) => mapOf(words, page));
  const { variants: chosen, ...said } = siteOf(identity);
  for (const [path, word] of Object.entries(chosen)) {
    const variant = variants.get(path)?.get(word);
    if (variant !== undefined) pages.set(path, variant);
  }
  const links = legalNames.map((name) => [`/${name}`, said[name]] as const);
  return {
    assets: new Map([...mapOf(manifest.assets, asset), ...mapOf(manifest.texts, text)]),
    pages,
    links: new Map(links.filter(([path, target]) => target !== path)),
    docs: identity.docs,
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

const assetHeaders = ({ isImmutable } = { isImmutable: false }): Record<string, string> => ({
  "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "public, no-cache",
  vary: "accept-encoding",
  "content-security-policy": inertPolicy,
});

/** Whether what was built for a site whose identity no one has set is right for these values. */
const isBuiltFor = (values: SiteValues, { gaps }: { gaps: OpenPage["gaps"] }): boolean =>
  gaps.every(([, , name]) => values[name] === unset[name]);

const unset = unsetValues();

const loadOpen = ({ file, common, values }: Parts, built: OpenPage): (() => LoadedOpenPage) => {
  const { headDeflated, headCrc, gaps, csp } = built;
  const headers = {
    ...common,
    "content-security-policy": withLook(csp, values),
    "cache-control": "private, no-store",
    vary: "accept-encoding, cookie",
    "content-type": "text/html; charset=utf-8",
  };
  const deflated = file(headDeflated);
  return heldWhenWanted(() => {
    const head = inflateOpen(deflated());
    return isBuiltFor(values, built)
      ? { head, headDeflated: deflated(), headCrc, headers }
      : { ...fillHead(head, gaps, values), headers };
  });
};

const loadText = (
  { type, text }: BuiltText,
  values: SiteValues,
  headers: Record<string, string>,
): LoadedFile => {
  const write = type.startsWith("text/plain") ? writings.markup : writings[isJson(type) ? "json" : "text"];
  const written = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(value)]));
  const bytes = new TextEncoder().encode(fillMarks(text, written));
  return fileOf(new Map([["identity", () => bytes]]), hashOf(bytes), { ...headers, "content-type": type });
};

const isJson = (type: string): boolean => /\bjson\b/.test(type);

/** A whole page: as it was built, or with its gaps filled when it is first asked for. */
const loadDocument = (parts: Parts, built: ClosedPage, own: Record<string, string>): LoadedFile => {
  const headers = { ...parts.common, ...own, "content-security-policy": withLook(built.csp, parts.values) };
  if (isBuiltFor(parts.values, built)) return loadFile(parts.file, built, headers);
  const plain = plainForm(parts.file, built);
  const filled = heldWhenWanted(() => {
    const named = { ...headers, "content-type": built.type };
    const forms = fillDocument({ bytes: plain(), gaps: built.gaps }, parts, (packed) => {
      file = fileOf(packed, hash, named);
    });
    const hash = hashOf(forms.get("identity")?.() ?? plain());
    let file = fileOf(forms, hash, named);
    return () => file;
  });
  return { choose: (header) => filled()().choose(header) };
};

const loadFile = (file: Files, built: BuiltFile, headers: Record<string, string>): LoadedFile => {
  const codings = readyCodings(built.files);
  const bytes = (coding: Coding) =>
    coding === "identity" ? plainForm(file, built) : file(built.files[coding] ?? built.files.identity);
  return fileOf(new Map(codings.map((coding) => [coding, bytes(coding)])), built.etag, {
    ...headers,
    "content-type": built.type,
  });
};

const plainForm = (file: Files, { files, isPacked }: BuiltFile): (() => Uint8Array<ArrayBuffer>) => {
  const content = file(files.identity);
  return isPacked ? heldWhenWanted(() => new Uint8Array(gunzipSync(content()))) : content;
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

/** Compresses texts in brotli, one after another, beside everything else; `null` for one that is no longer wanted. */
type Packer = (bytes: Uint8Array, isWanted: () => boolean) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Creates a packer. It takes the time that the smallest form needs, on a thread of the system. */
const createPacker = (): Packer => {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes, isWanted) => {
    const packed = last.then(async () => (isWanted() ? new Uint8Array(await brotli(bytes, smallest)) : null));
    last = packed.catch(() => {});
    return packed;
  };
};

const brotli = promisify(brotliCompress);
const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 } };

type Filling = {
  values: SiteValues;
  pack: Packer;
  /** Whether these values are still those of the site. */
  isCurrent: () => boolean;
};

type Forms = ReadonlyMap<Coding, () => Uint8Array<ArrayBuffer>>;

/**
 * A document with its gaps filled: plain and in gzip, which is made when it is first asked for. `onPacked` is called with
 * all forms once there is a brotli form as well.
 */
const fillDocument = (
  { bytes, gaps }: { bytes: Uint8Array; gaps: readonly Gap[] },
  { values, pack, isCurrent }: Filling,
  onPacked: (forms: Forms) => void,
): Forms => {
  const filled = fillGaps(bytes, gaps, values);
  const forms = new Map([
    ["gzip", heldWhenWanted(() => new Uint8Array(gzipSync(filled)))],
    ["identity", () => filled],
  ] as const);
  // Without it readers get what is there already.
  pack(filled, isCurrent)
    .then((packed) => packed !== null && onPacked(new Map([["br", () => packed], ...forms])))
    .catch(() => {});
  return forms;
};

/** A page without its end, with its gaps filled. */
const fillHead = (bytes: Uint8Array, gaps: readonly Gap[], values: SiteValues): OpenHead => {
  const head = fillGaps(bytes, gaps, values);
  return { head, headDeflated: deflateOpen(head, 6), headCrc: crc32(head) };
};
