import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import type { Cli } from "#cli/invocation.ts";
import { manPage } from "#cli/man/man-page.ts";
import { addPluginWord } from "#cli/plugin-words/add-plugin-word.ts";

/** `man`: the manual of this very program. */
export const addManCommand = (program: Command, cli: Cli, version: string): void => {
  program
    .command("man")
    .summary("print the manual page")
    .description(
      "Prints the manual page of this version, with every command, in the form that man reads: to be shown at once, or kept " +
        "where man finds it. Builds have it beside the executable, as man/atrium.1.",
    )
    .addHelpText(
      "after",
      examples(
        ["Read it", "atrium man | man -l -"],
        ["For all users", "atrium man > /usr/local/share/man/man1/atrium.1"],
      ),
    )
    .action(async () => {
      const known = program.commands.map((command) => command.name());
      for (const word of await cli.pluginWords())
        if (!known.includes(word.commands.word)) addPluginWord(program, cli, word);
      cli.terminal.out(manPage(program, version));
    });
};
