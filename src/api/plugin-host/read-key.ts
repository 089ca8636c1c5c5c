import type { ReadKey } from "#api/core/plugins.ts";
import { readPublicKey } from "./package/keys.ts";
import { PackageError } from "./package/package-error.ts";

/** A publisher's key as it was read, or what is wrong with it in a sentence. */
export const readKey = (given: string): ReadKey => {
  try {
    const { keyId, publicKey } = readPublicKey(given);
    return { keyId, publicKey };
  } catch (error) {
    if (error instanceof PackageError) return { problem: error.message };
    throw error;
  }
};
