import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuiltFile, Coding } from "#api/http/pages/ui-manifest.ts";

/** Where the build puts its files. */
export type Shelf = {
  /** Writes one file as it is; gives its name back. */
  write(name: string, bytes: Uint8Array): string;
  /** Writes a file in all its codings. */
  store(name: string, bytes: Uint8Array, isImmutable: boolean): Promise<BuiltFile>;
  /** Writes a file compressed alone: of those that are many or large, each form more would be felt in the executable. */
  storePacked(name: string, bytes: Uint8Array): Promise<Omit<BuiltFile, "type" | "isImmutable">>;
};

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

/** A coding that makes files smaller. */
type Packing = Exclude<Coding, "identity">;

/** A shelf in `outDir`. A quick build leaves out the codings that take seconds for their last bytes. */
export const createShelf = (outDir: string, isQuick: boolean): Shelf => {
  const write: Shelf["write"] = (name, bytes) => {
    const path = join(outDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return name;
  };
  const codings: Packing[] = isQuick ? ["gzip"] : ["br", "gzip"];
  return {
    write,
    store: async (name, bytes, isImmutable) => {
      const extension = extname(name);
      const type = types[extension];
      if (type === undefined) throw new Error(`no media type is known for ${name}`);
      const files: BuiltFile["files"] = { identity: write(name, bytes) };
      const all = await compressAll(bytes, packed.includes(extension) ? [] : codings);
      for (const [coding, coded] of all) files[coding] = write(`${name}.${coding}`, coded);
      return { type, etag: hashOf(bytes), isImmutable, files };
    },
    storePacked: async (name, bytes) => {
      const etag = hashOf(bytes);
      const all = await compressAll(bytes, codings);
      const written = [...all].map(([coding, coded]) => [coding, write(`${name}.${coding}`, coded)]);
      const forms: Partial<Record<Packing, string>> = Object.fromEntries(written);
      return forms.gzip === undefined
        ? { etag, files: { identity: write(name, bytes) } }
        : { etag, isPacked: true, files: { ...forms, identity: forms.gzip } };
    },
  };
};

/** The bytes in each of `codings`, at its slowest and smallest; those that do not make them smaller are left out. */
const compressAll = async (
  bytes: Uint8Array,
  codings: readonly Packing[],
): Promise<Map<Packing, Uint8Array>> => {
  const all = await Promise.all(
    codings.map(async (coding) => [coding, await coders[coding](bytes)] as const),
  );
  return new Map(all.filter(([, coded]) => coded.byteLength < bytes.byteLength));
};

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)];

const coders: Record<Packing, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => deflate(bytes, { level: 9 }),
};

/** What a file's entity tag and, where it may be kept forever, its name are made from. */
export const hashOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
