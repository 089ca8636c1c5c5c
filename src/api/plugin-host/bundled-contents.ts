import type { BundledPlugin } from "#api/core/plugins.ts";
import { contentHash } from "./package/content-hash.ts";
import { readZip } from "./package/read-zip.ts";

/** What the plugins that are part of the executable consist of, by name. */
export type BundledContents = ReadonlyMap<string, { contentSha256: string }>;

/** Returns a function that looks at them when it is first called. */
export const createBundledContents = (
  bundled: readonly BundledPlugin[],
): (() => Promise<BundledContents>) => {
  const look = async (): Promise<BundledContents> => {
    const contents = new Map<string, { contentSha256: string }>();
    for (const { name, packed } of bundled)
      contents.set(name, { contentSha256: await contentHash(await readZip(await packed())) });
    return contents;
  };
  let looking: Promise<BundledContents> | null = null;
  return () => {
    looking ??= look();
    return looking;
  };
};
