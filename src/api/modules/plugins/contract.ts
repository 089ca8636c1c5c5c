import type { AnswerOf, CommandGroup } from "#contract/operation.ts";
import { about } from "./contract/about.ts";
import { changes } from "./contract/changing.ts";
import { holding } from "./contract/holding.ts";

export { pluginKeysContract } from "./contract/keys.ts";

/**
 * The command group of plugins; commands for authors, and those that send more than one request, are written by hand.
 */
export const pluginsGroup: CommandGroup = {
  word: "plugin",
  summary: "plugins",
  description: "The plugins of the installation, and the tools of those who write plugins",
  groups: {
    settings: {
      summary: "a plugin's settings",
      description: "The settings of a plugin, as its manifest describes them",
    },
    keys: {
      summary: "trusted publishers' keys",
      description:
        "The public keys whose signatures on packages are accepted, in addition to those that the " +
        "operator pinned",
    },
  },
};

/** The operations on installed plugins; uploads are separate routes. */
export const pluginsContract = { ...about, ...changes, ...holding };

/** A plugin's settings: secrets read as empty, and `secrets` says which are set. */
export type ShownSettings = AnswerOf<typeof pluginsContract.settings>;
