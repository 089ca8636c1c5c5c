import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { type Cli, handler } from "#cli/invocation.ts";

/** `secrets new-key`: makes up a key. */
export const addSecretsNewKeyCommand = (group: Command, cli: Cli): void => {
  group
    .command("new-key")
    .summary("print a fresh key")
    .description(
      "Prints 32 fresh random bytes in hexadecimal digits, good as APP_SECRET or as the content of the key file. Nothing is " +
        "stored or changed: whoever runs it keeps the key.",
    )
    .addHelpText(
      "after",
      examples(
        ["Into a file for the owner's eyes only", "(umask 077 && atrium secrets new-key > app.key.new)"],
        ["Into a variable", 'APP_SECRET="$(atrium secrets new-key)"'],
      ),
    )
    .action(
      handler(cli, async ({ output }) => {
        output.result({ key: randomBytes(32).toString("hex") }, ({ key }) => key);
      }),
    );
};
