import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { rememberedChoice } from "#api/http/pages/negotiate.ts";

/** A body as it is sent; `coding` is `null` where it goes as it is. */
export type KeptBody = { bytes: Uint8Array<ArrayBuffer>; coding: "br" | "gzip" | null };

/** A file at an address that never has another content. */
export type FixedFile = { key: string; type: string; make(): Uint8Array | string };

const mostKept = 60;
// What is smaller fits into a packet or two as it is.
const leastBytes = 1_024;
const isText = /^(?:text\/|application\/json|image\/svg)|javascript|wasm/;
const choose = rememberedChoice(["br", "gzip", "identity"]);
const compress = {
  // The best level takes ten times as long for a twentieth less.
  br: (bytes: Uint8Array): Promise<Uint8Array> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(gzip)(bytes, { level: 9 }),
};

/** Makes and compresses each body once, beside the server's own thread, and keeps those asked for last. */
export const createKeptBodies = (): ((
  file: FixedFile,
  acceptEncoding: string | null,
) => Promise<KeptBody>) => {
  const kept = new Map<string, Promise<KeptBody>>();
  return (file, acceptEncoding) => {
    const wanted = isText.test(file.type) ? choose(acceptEncoding) : "identity";
    const coding = wanted === "br" || wanted === "gzip" ? wanted : null;
    const key = `${coding} ${file.key}`;
    const known = kept.get(key);
    const body = known ?? makeBody(file, coding);
    kept.delete(key);
    kept.set(key, body);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return body;
  };
};

const makeBody = async ({ make }: FixedFile, coding: KeptBody["coding"]): Promise<KeptBody> => {
  const made = make();
  const bytes = asBody(typeof made === "string" ? new TextEncoder().encode(made) : made);
  if (coding === null || bytes.byteLength < leastBytes) return { bytes, coding: null };
  return { bytes: asBody(await compress[coding](bytes)), coding };
};

/** Bytes that nobody else holds: the types fear a buffer that threads share. */
const asBody = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;
