import { Argument, type Command } from "commander";
import { type Cli, examples } from "#cli/invocation.ts";
import { printable } from "#cli/terminal/output.ts";
import { askCompletions } from "./ask-completions.ts";
import bash from "./atrium.bash" with { type: "text" };
import fish from "./atrium.fish" with { type: "text" };
import powershell from "./atrium.ps1" with { type: "text" };
import zsh from "./atrium.zsh" with { type: "text" };
import type { Candidates } from "./complete-words.ts";

/** `completion`: what a shell reads to complete the command line, and what that asks. */
export const addCompletionCommand = (program: Command, cli: Cli): void => {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .argument("[words...]", "used by the shell itself, after --: prints completions for the last word")
    .summary("print a completion script for a shell")
    .description(
      "Prints a script that lets the shell complete commands, options and their values, setting paths, and while a " +
        "server is running the names and commands of plugins. It asks the program each time, so it stays valid after an upgrade.",
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

/** The shells that completions are made for. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
type Shell = (typeof shells)[number];

/**
 * What a shell reads to complete `atrium`: it asks `atrium completion <shell> -- <words>`, whose first line names what may
 * stand there (`words`, `files` or `folders`) and whose others are a word, a tab and what it means.
 */
export const shellScripts: Record<Shell, string> = { bash, zsh, fish, powershell };
