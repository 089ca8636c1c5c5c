import { join } from "node:path";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { builtFolder } from "#api/db/bundled-files.ts";
import { type Manifest, readManifest } from "#contract/plugin-manifest.ts";

/** A plugin that ships with the product: its `plugin.json` as it was parsed, and how an installation begins with it. */
export type ShippedPlugin = { manifest: { name: string; version: string } } & Pick<
  BundledPlugin,
  "isCore" | "isEnabledAtFirst" | "released"
>;

/** Where the packages of shipped plugins lie, each under {@link packageName}. */
export const shippedOutput: string = builtFolder("plugins");

/** The file name of a shipped plugin's package. */
export const packageName = (plugin: string): string => `${plugin}.zip`;

/**
 * Shipped plugins with their packages as the build left them. Their manifests are read when they are needed, because
 * that takes as long as much else of a start; one that cannot be used throws then.
 */
export const shippedPlugins = (shipped: readonly ShippedPlugin[]): BundledPlugin[] =>
  shipped.map(({ manifest: json, ...rest }) => {
    const { name, version } = json;
    let read: Manifest | null = null;
    return {
      ...rest,
      ...{ name, version },
      get manifest() {
        read ??= usableManifest(json);
        return read;
      },
      packed: () => Bun.file(join(shippedOutput, packageName(name))).bytes(),
    };
  });

const usableManifest = (json: unknown): Manifest => {
  const read = readManifest(json);
  if ("problems" in read)
    throw new Error(`A shipped plugin cannot be used: ${JSON.stringify(read.problems)}`);
  return read.manifest;
};
