import { open, rename, rm } from "node:fs/promises";
import { CliFailure } from "./failure.ts";

/**
 * Writes a file that only its owner may read, whole or not at all: what stood there before stays until the last byte is
 * on the disk. Resolves to its size; throws when it cannot be written, and what `bytes` throws.
 */
export const saveFile = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  const handle = await open(draft, "wx", 0o600).catch((error) => unwritable(path, error));
  let sizeBytes = 0;
  try {
    try {
      for await (const chunk of bytes) {
        await handle.writeFile(chunk).catch((error) => unwritable(path, error));
        sizeBytes += chunk.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path).catch((error) => unwritable(path, error));
    return sizeBytes;
  } finally {
    await rm(draft, { force: true });
  }
};

const unwritable = (path: string, error: unknown): never => {
  const reason = String(Reflect.get(Object(error), "code") ?? "no reason given");
  throw new CliFailure("UNWRITABLE", `cannot write ${path} (${reason})`, { cause: error });
};
