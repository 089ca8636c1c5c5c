import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

// About two milliseconds of work on a slow machine.
const sliceBytes = 1_000_000;

/** SHA-256 in hexadecimal digits; other work gets its turn while much is hashed. */
export const hashInSlices = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + sliceBytes));
  }
  return hash.digest("hex");
};

/** The checksum of zip files; other work gets its turn while much is summed up. */
export const crcInSlices = async (bytes: Uint8Array): Promise<number> => {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await setImmediate();
    crc = crc32(bytes.subarray(at, at + sliceBytes), crc);
  }
  return crc;
};

/** Returns a function to await between small pieces of work: it lets other work have its turn every few milliseconds. */
export const takingTurns = (turnMs = 8): (() => Promise<void>) => {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await setImmediate();
    began = performance.now();
  };
};
