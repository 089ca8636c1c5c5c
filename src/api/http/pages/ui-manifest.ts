import { markOf, type ownTexts, type Site } from "#contract/site.ts";

/** Content codings that files are stored in, best first. */
export const codings = ["br", "gzip", "identity"] as const;
export type Coding = (typeof codings)[number];

/** Stands in built documents for the public origin, which only the running server knows. */
export const originMark = markOf("origin");

/**
 * A place in a document that is filled by the running server: its first byte, how many bytes stand there for a site whose
 * identity no one has set, what belongs there, and how it is written. `markup` is put in as it is.
 */
export type Gap = [at: number, length: number, name: GapName, kind: "text" | "url" | "markup"];

/**
 * Markup are `identity`, what scripts know of the site, `look`, a style sheet with its color, `card`, the picture beside a
 * shared link, `social`, its links, and the texts of its own.
 */
export type GapName =
  | Exclude<keyof Site, "variants">
  | OwnTextSetting
  | ("origin" | "accent" | "identity" | "look" | "card");

/** The settings that hold texts of the site's own. */
type OwnTextSetting = "homeText" | (typeof ownTexts)[keyof typeof ownTexts];

/** Bytes that never change while the server runs: file names below the build's folder, by coding. */
export type BuiltFile = {
  type: string;
  /** Hash of the content, without quotes. */
  etag: string;
  /** Whether the name holds the content's hash, so that browsers may keep it forever. */
  isImmutable: boolean;
  /** A large file that nearly everyone takes compressed: `identity` names its gzip form, to be unpacked when it is wanted. */
  isPacked?: true;
  files: Partial<Record<Coding, string>> & { identity: string };
};

/** A page that ends with the session: everything before it, as a byte-aligned deflate stream. */
export type OpenPage = {
  headDeflated: string;
  /** CRC-32 of its bytes before they were deflated. */
  headCrc: number;
  csp: string;
  gaps: Gap[];
};

/**
 * A page that is the same for every reader it is for. One that names its own address is stored plain alone: it is always
 * filled by the server.
 */
export type ClosedPage = BuiltFile & { csp: string; gaps: Gap[] };

/** Addresses of scripts and stylesheets. */
export type PageLoads = { scripts: string[]; styles: string[] };

/**
 * One page. `visitor` is missing where visitors are led elsewhere; `unsure` is for readers whose session could not be
 * looked up.
 */
export type BuiltPage = {
  access: "public" | "user" | "admin";
  /** Addresses of what browsers load first for it. */
  loads: PageLoads;
  visitor?: ClosedPage;
  member: OpenPage;
  unsure: OpenPage;
};

/** A small text with marks where the public origin and texts of the site belong. */
export type BuiltText = { type: string; text: string };

/** The output of the build for the server: exact paths only, nothing is looked up on disk later. */
export type UiManifest = {
  assets: Record<string, BuiltFile>;
  texts: Record<string, BuiltText>;
  pages: Record<string, BuiltPage>;
  /** Pages that stand at the path of another where the site's settings say so, by path and variant. */
  variants?: Record<string, Record<string, BuiltPage>>;
  notFound: BuiltPage;
  /** Pages beside the application, by path: the same for every reader. */
  documents?: Record<string, ClosedPage>;
  /** Scripts that plugins' frontends begin with, by file name: served below `/api/plugin-host/`. */
  hostFiles?: Record<string, BuiltFile>;
  /** Follows the session in every open page. */
  tail: string;
};
