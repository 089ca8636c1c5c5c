/** Content codings in which files lie ready, the best first. */
export const codings = ["br", "zstd", "gzip", "identity"] as const;
export type Coding = (typeof codings)[number];

/** Bytes that never change while the server runs: file names below the build's folder, by coding. */
export type BuiltFile = {
  type: string;
  /** Hash of the content, without quotes. */
  etag: string;
  /** Whether the name holds the content's hash, so that browsers may keep it forever. */
  isImmutable: boolean;
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
 * One page. `visitor` is missing where visitors are led elsewhere; `unsure` is for readers whose session could not be
 * looked up.
 */
export type BuiltPage = {
  access: "public" | "user" | "admin";
  visitor?: ClosedPage;
  member: OpenPage;
  unsure: OpenPage;
};

/** What the build tells the server: exact paths only, nothing is looked up on disk later. */
export type UiManifest = {
  assets: Record<string, BuiltFile>;
  pages: Record<string, BuiltPage>;
  notFound: BuiltPage;
  /** Follows the session in every open page. */
  tail: string;
};
