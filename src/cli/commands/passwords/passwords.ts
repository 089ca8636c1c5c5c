import type { Command } from "commander";
import { bytesOf, checkSource } from "#cli/backups/restore-source.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, examples, type GlobalOptions, localHandler } from "#cli/invocation.ts";
import { wholeNumber } from "#cli/operations/typed-values.ts";
import { Planned, planOption } from "#cli/planned.ts";
import { createProgress, showingBytes } from "#cli/terminal/progress.ts";
import { nothingChanged } from "#cli/terminal/stop-signal.ts";

type BuildOptions = GlobalOptions & { atLeast: number };

/** `passwords`: the breached passwords that this installation refuses. */
export const addPasswordsCommands = (program: Command, cli: Cli): void => {
  const group = program.command("passwords").summary("refuse passwords of data breaches");
  group
    .command("build-filter")
    .summary("make the filter of breached passwords")
    .argument("<file>", "a list of SHA-1 hashes with counts, sorted by hash; - for standard input")
    .description(
      "Makes a filter of the passwords in a list that Have I Been Pwned publishes, and puts it into the data folder. New " +
        "passwords are looked up in it from then on, without a restart and without asking another server. It takes 3 bytes for " +
        "each password: the 10 million most frequent ones are 30 MB.",
    )
    .option("--at-least <count>", "leave out passwords that were seen less often", wholeNumber, 1)
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Use a downloaded list", "atrium passwords build-filter pwned-passwords.txt --at-least 100"],
        ["Use a compressed one", "zcat pwned-passwords.txt.gz | atrium passwords build-filter -"],
      ),
    )
    .action(
      localHandler<BuildOptions>(cli, async ({ composition, terminal, output, args, isPlan }, options) => {
        const [file = ""] = args;
        if (!composition.hasDatabase())
          throw new CliFailure("NO_INSTALLATION", `there is no installation in ${composition.dataDir}`);
        const size = await checkSource({ file });
        if (isPlan)
          throw new Planned({
            words: `Would make the filter of breached passwords in ${composition.dataDir} from ${file === "-" ? "standard input" : file}, in place of the one that is there`,
            call: null,
          });
        const progress = createProgress(terminal);
        const bytes = showingBytes(progress, bytesOf(terminal, { file }), size);
        const result = await terminal
          .interruptible(
            (signal) => composition.buildBreachFilter(bytes, { atLeast: options.atLeast, signal }),
            nothingChanged,
          )
          .finally(progress.end);
        output.result(
          result,
          ({ passwords, path }) =>
            `${passwords} ${passwords === 1 ? "password is" : "passwords are"} refused from now on; the filter is ${path}`,
        );
      }),
    );
};
