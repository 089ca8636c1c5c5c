import { join } from "node:path";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { isExecutable } from "#api/db/bundled-files.ts";
import { readManifest } from "#contract/plugin-manifest.ts";

/** A plugin that ships with the product: its `plugin.json` as it was parsed, and how an installation begins with it. */
export type ShippedPlugin = { manifest: unknown } & Pick<BundledPlugin, "isCore" | "isEnabledAtFirst">;

/** Where the build puts the packages of shipped plugins, each under {@link packageName}. */
export const shippedOutput: string = join(import.meta.dir, "../../../dist/plugins");

/** The file name of a shipped plugin's package. */
export const packageName = (plugin: string): string => `${plugin}.zip`;

// The executable holds the folder as the asset `plugins`.
const folder = isExecutable ? join(import.meta.dir, "plugins") : shippedOutput;

/** Shipped plugins with their packages as the build left them. Throws for a manifest that cannot be used. */
export const shippedPlugins = (shipped: readonly ShippedPlugin[]): BundledPlugin[] =>
  shipped.map(({ manifest: json, ...rest }) => {
    const read = readManifest(json);
    if ("problems" in read)
      throw new Error(`A shipped plugin cannot be used: ${JSON.stringify(read.problems)}`);
    const { manifest } = read;
    return {
      ...rest,
      manifest,
      packed: () => Bun.file(join(folder, packageName(manifest.name))).bytes(),
    };
  });
