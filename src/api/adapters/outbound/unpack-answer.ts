import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { OutboundError } from "./outbound-error.ts";
import type { PinnedAnswer } from "./send-pinned.ts";

const unpackers = new Map([
  ["gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
  ["deflate", promisify(inflate)],
]);

/**
 * The body as it was before it was compressed, which some servers do whatever they are asked for; `null` when the way is
 * not known. Throws `OutboundError("large")` beyond `mostBytes` unpacked.
 */
export const unpackAnswer = async (
  { headers, body }: PinnedAnswer,
  mostBytes: number,
): Promise<Uint8Array | null> => {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "" || body.byteLength === 0) return body;
  const unpack = unpackers.get(coding);
  if (unpack === undefined) return null;
  try {
    return await unpack(body, { maxOutputLength: mostBytes });
  } catch {
    throw new OutboundError("large");
  }
};
