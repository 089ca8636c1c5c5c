import { Argument, type Command } from "commander";
import { askCompletions } from "#cli/completion/ask-completions.ts";
import type { Candidates } from "#cli/completion/complete-words.ts";
import { type Shell, shellScripts, shells } from "#cli/completion/shell-scripts.ts";
import { examples } from "#cli/examples.ts";
import type { Cli } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";

/** `completion`: what a shell reads to complete the command line, and what that asks. */
export const addCompletionCommand = (program: Command, cli: Cli): void => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell to complete in").choices(shells))
    .argument("[words...]", "asked by the shell itself, behind --: prints what may stand for the last word")
    .summary("print completions for a shell")
    .description(
      "Prints a script with which the shell completes commands, options and their values; setting paths, and while a " +
        "server runs the names and commands of plugins. It holds no list of its own, and so need not be renewed after an upgrade.",
    )
    .addHelpText(
      "after",
      examples(
        ["bash, in ~/.bashrc", 'eval "$(atrium completion bash)"'],
        ["zsh, in ~/.zshrc below compinit", "source <(atrium completion zsh)"],
        ["fish, once", "atrium completion fish > ~/.config/fish/completions/atrium.fish"],
        [
          "PowerShell, in the file that $PROFILE names",
          "atrium completion powershell | Out-String | Invoke-Expression",
        ],
        ["For all users of a Debian machine", "atrium completion bash > /etc/bash_completion.d/atrium"],
      ),
    )
    .action(async (shell: Shell, words: string[]) => {
      if (words.length === 0) {
        cli.terminal.out(shellScripts[shell]);
        return;
      }
      const asked = shell === "powershell" ? [...words.slice(0, -1), words.at(-1)?.slice(1) ?? ""] : words;
      cli.terminal.out(candidatesText(await askCompletions(program, cli, asked)));
    });
};

const candidatesText = ({ kind, words }: Candidates): string =>
  [kind, ...words.map(({ value, about }) => `${printable(value)}\t${shortened(printable(about))}`), ""].join(
    "\n",
  );

// Shells show it beside the word, where long ones wrap.
const shortened = (about: string): string => (about.length > 70 ? `${about.slice(0, 69).trimEnd()}…` : about);
