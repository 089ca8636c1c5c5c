import { join } from "node:path";
import { buildFolder } from "#api/plugin-host/author/build-folder.ts";
import { contentHash } from "#api/plugin-host/package/content-hash.ts";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import kept from "../../src/plugins/released-contents.json" with { type: "json" };
import { shippedNames } from "../build-plugins.ts";
import { projectRoot } from "../project-root.ts";

/** What each shipped plugin consists of, as hashes by its name. */
export type PluginContents = Record<string, string>;

/** What shipped plugins consisted of, by release. */
export const keptContents: Record<string, PluginContents> = kept;

/** What the shipped plugins consist of now. */
export const currentContents = async (): Promise<PluginContents> => {
  const contents: PluginContents = {};
  for (const name of await shippedNames())
    contents[name] = await contentHash(packFolder(await buildFolder(join(projectRoot, "src/plugins", name))));
  return contents;
};

/**
 * Why a version must not be released: later versions take a package under a shipped plugin's name only if its content is
 * written down. `null` when it is.
 */
export const contentsProblem = (
  version: string,
  current: PluginContents,
  releases: Record<string, PluginContents> = keptContents,
): string | null => {
  const written = releases[version];
  if (written === undefined)
    return `src/plugins/released-contents.json has no entry for ${version}. Run: bun scripts/keep-plugin-contents.ts`;
  return Bun.deepEquals(written, current)
    ? null
    : `The plugins differ from the entry for ${version} in src/plugins/released-contents.json. Raise the version in package.json, or delete the entry if that version was never released, then run: bun scripts/keep-plugin-contents.ts`;
};
