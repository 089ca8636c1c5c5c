import type { AnswerOf } from "#contract/operation.ts";
import type { CommandGroup } from "#contract/operation-commands.ts";
import { about } from "./contract/about.ts";
import { changes } from "./contract/changing.ts";
import { holding } from "./contract/holding.ts";

export { pluginKeysContract } from "./contract/keys.ts";

/** The word of the commands about plugins; those of their authors, and some that do more than one call, are written by hand. */
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

/** What can be done about installed plugins; uploads are routes of their own. */
export const pluginsContract = { ...about, ...changes, ...holding };

/** A plugin's settings: secrets read empty, and `secrets` says which are set. */
export type ShownSettings = AnswerOf<typeof pluginsContract.settings>;
