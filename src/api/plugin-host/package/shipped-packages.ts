import { join } from "node:path";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { builtFolder } from "#api/db/bundled-files.ts";
import { type Manifest, readManifest } from "#contract/plugin-manifest.ts";

/** A plugin that ships with the product: its parsed `plugin.json`, and whether a new installation enables it. */
export type ShippedPlugin = { manifest: { name: string; version: string } } & Pick<
  BundledPlugin,
  "isCore" | "isEnabledAtFirst" | "released"
>;

/** Folder of the packages of shipped plugins, each under {@link packageName}. */
export const shippedOutput: string = builtFolder("plugins");

/** The file name of a shipped plugin's package. */
export const packageName = (plugin: string): string => `${plugin}.zip`;

/**
 * Shipped plugins with their packages from the build. Their manifests are only read when needed, because that takes a
 * large part of a start; an unusable one throws then.
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
