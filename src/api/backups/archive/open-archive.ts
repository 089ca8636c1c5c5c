import { type Keys, unlocked } from "./age.ts";
import { type OpenArchive, readArchive } from "./read-archive.ts";

/** Begins to read a backup, encrypted or not. Throws an `ArchiveError`. A key is taken only from an encrypted one. */
export const openArchive = async (bytes: AsyncIterable<Uint8Array>, keys: Keys): Promise<OpenArchive> => {
  const { bytes: plain, isEncrypted } = await unlocked(bytes, keys);
  return readArchive(plain, { mayHoldKey: isEncrypted });
};
