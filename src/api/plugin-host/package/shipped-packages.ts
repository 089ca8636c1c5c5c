import { join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { builtFolder } from "#api/db/bundled-files.ts";
import { type Manifest, readManifest } from "#contract/plugin-manifest.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";

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
 * Shipped plugins with their packages from the build; `packed` rejects with `PLUGIN_UNAVAILABLE` in a clone without one. Their manifests are only read when needed, because that takes a
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
      packed: () => builtPackage(name),
    };
  });

const builtPackage = async (plugin: string): Promise<Uint8Array> => {
  const file = Bun.file(join(shippedOutput, packageName(plugin)));
  if (!(await file.exists()))
    throw new AppError("PLUGIN_UNAVAILABLE", pluginTexts.notBuilt, { retryAfterS: 60 });
  return file.bytes();
};

const usableManifest = (json: unknown): Manifest => {
  const read = readManifest(json);
  if ("problems" in read)
    throw new Error(`A shipped plugin cannot be used: ${JSON.stringify(read.problems)}`);
  return read.manifest;
};
