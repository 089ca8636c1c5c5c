import { Command, type Option } from "commander";
import { type Cli, examples } from "./invocation.ts";

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed
  2  wrong usage, or a value that is not accepted
  3  cannot reach the server, or not allowed
  75, 78  serve, restore and migration to PostgreSQL: data folder or port in use, try again
          later; the installation's configuration, key or data can't be used

Commands use the server that runs on the data folder; without one they open the
data folder directly. --url or ATRIUM_URL selects another server, whose API
token comes from ATRIUM_TOKEN or --token-file. Passwords and tokens are never read
from an argument. Results go to standard output, everything else to standard error.
`;

/** The options of all commands, for the help of each: commander itself adds those of a command above, such as `backup`. */
const optionsOfAll = (command: Command): Option[] =>
  command.parent === null ? [] : [...rootOf(command).options];

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/**
 * The command line without any command: what all of them share. `isJson`: standard error is for the failure alone, the help
 * that goes there with a missing command is left out.
 */
export const createRoot = (cli: Cli, version: string, isJson = false): Command =>
  new Command("atrium")
    .description("Run and administer an Atrium installation")
    .version(version, "-V, --version", "print the version")
    .option("--json", "print exactly the API's data, and errors as JSON on standard error")
    .option("--url <origin>", "use the server at this URL instead of the one on this machine")
    .option("--token-file <path>", 'file with the API token for --url; "-" reads standard input')
    .option("--yes", "answer every confirmation with yes")
    .option("--data-dir <folder>", "the installation's data folder, instead of DATA_DIR")
    .helpOption("-h, --help", "show this help")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: optionsOfAll })
    .configureOutput({
      writeOut: cli.terminal.out,
      writeErr: isJson ? () => {} : cli.terminal.err,
      outputError: () => {},
    })
    .exitOverride()
    .addHelpText(
      "after",
      examples(
        ["Start the server; the first start prints a link that creates the first admin", "atrium serve"],
        [
          "Create an administrator from the terminal",
          "atrium admin create --email ada@example.com --name Ada",
        ],
        ["Find problems of an installation", "atrium doctor"],
      ) + exitCodesHelp,
    );
