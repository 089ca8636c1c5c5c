import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { Inspection } from "../engine-types.ts";

/** Layers of packing that anybody has a reason for. */
const mostLayers = 3;

/**
 * A body out of its `Content-Encoding` (a list, the last applied first), at most `capBytes`; or why it cannot be had. A
 * coding that is not known is an obstacle: what stands inside would pass unseen.
 */
export const unpack = (
  body: Uint8Array,
  encoding: string,
  capBytes: number,
): Uint8Array | Exclude<Inspection["obstacle"], null> => {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > mostLayers) return "undecodable";
  let bytes = body;
  for (const coding of codings.reverse()) {
    if (bytes.length > capBytes) return "too-large";
    try {
      bytes = unpackOnce(bytes, coding, capBytes);
    } catch (error) {
      return isTooLarge(error) ? "too-large" : "undecodable";
    }
  }
  return bytes.length > capBytes ? "too-large" : bytes;
};

const unpackOnce = (bytes: Uint8Array, coding: string, maxOutputLength: number): Uint8Array => {
  if (coding === "gzip" || coding === "x-gzip") return gunzipSync(bytes, { maxOutputLength });
  if (coding === "br") return brotliDecompressSync(bytes, { maxOutputLength });
  if (coding === "zstd") return zstdDecompressSync(bytes, { maxOutputLength });
  if (coding !== "deflate") throw new Error(`unknown coding ${coding}`);
  // Some clients leave out the frame that RFC 9110 asks for.
  const isFramed = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  return isFramed ? inflateSync(bytes, { maxOutputLength }) : inflateRawSync(bytes, { maxOutputLength });
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
