/** Content codings that files are stored in, best first. */
export const codings = ["br", "zstd", "gzip", "identity"] as const;
export type Coding = (typeof codings)[number];

/** Placeholder in built texts for the public origin, which only the running server knows. */
export const originMark = "{origin}";

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

/** A page that ends with the session: everything before it, as text and as a byte-aligned deflate stream. */
export type OpenPage = {
  head: string;
  headDeflated: string;
  /** CRC-32 of `head`'s bytes. */
  headCrc: number;
  csp: string;
};

/** A page for visitors, whole. */
export type ClosedPage = BuiltFile & { csp: string };

/**
 * A page for visitors that names its own public address: two files, each in the codings below, between which the server
 * puts the tags with the address.
 */
export type AddressedPage = {
  type: string;
  csp: string;
  /** The tags, with {@link originMark} where the origin belongs. */
  tags: string;
  /** What the tags, filled up with spaces, have to measure: the brotli stream after them counts on it. */
  roomBytes: number;
  before: PagePart;
  after: PagePart;
};

/** File names of one side of a page: as text, and as byte-aligned parts of a deflate and of a brotli stream. */
export type PagePart = { identity: string; deflate: string; br: string };

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
  visitor?: ClosedPage | AddressedPage;
  member: OpenPage;
  unsure: OpenPage;
};

/** A small text that names the public origin: its content, with {@link originMark} where the origin belongs. */
export type BuiltText = { type: string; text: string };

/** The output of the build for the server: exact paths only, nothing is looked up on disk later. */
export type UiManifest = {
  assets: Record<string, BuiltFile>;
  texts: Record<string, BuiltText>;
  pages: Record<string, BuiltPage>;
  notFound: BuiltPage;
  /** Pages beside the application, by path: the same for every reader. */
  documents?: Record<string, ClosedPage>;
  /** Scripts that plugins' frontends begin with, by file name: served below `/api/plugin-host/`. */
  hostFiles?: Record<string, BuiltFile>;
  /** Follows the session in every open page. */
  tail: string;
};
