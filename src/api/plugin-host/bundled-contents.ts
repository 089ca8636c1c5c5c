import type { BundledPlugin } from "#api/core/plugins.ts";
import { contentHash } from "./package/content-hash.ts";
import { readZip } from "./package/read-zip.ts";

/** Hashes of what the plugins that are part of the executable consist of, by name: now, then in earlier releases. */
export type BundledContents = ReadonlyMap<string, readonly string[]>;

/** Returns a function that looks at them when it is first called. */
export const createBundledContents = (
  bundled: readonly BundledPlugin[],
): (() => Promise<BundledContents>) => {
  const look = async (): Promise<BundledContents> => {
    const contents = new Map<string, readonly string[]>();
    for (const { name, packed, released } of bundled)
      contents.set(name, [await contentHash(await readZip(await packed())), ...released]);
    return contents;
  };
  let looking: Promise<BundledContents> | null = null;
  return () => {
    looking ??= look();
    return looking;
  };
};
