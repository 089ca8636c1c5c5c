import { Command } from "commander";
import { addActivityCommands } from "./commands/activity.ts";
import { addAdminCommands } from "./commands/admin.ts";
import { addApiCommand } from "./commands/api.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addContactCommands } from "./commands/contact.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addMailCommands } from "./commands/mail.ts";
import { addManCommand } from "./commands/man.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addOpenApiCommand } from "./commands/openapi.ts";
import { addPluginCommands } from "./commands/plugin.ts";
import { addRestoreCommand } from "./commands/restore.ts";
import { addSchemaCommand } from "./commands/schema.ts";
import { addSecretsCommands } from "./commands/secrets.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSettingsCommands } from "./commands/settings.ts";
import { addSnapshotCommands } from "./commands/snapshot.ts";
import { addStatusCommand } from "./commands/status.ts";
import { addSupportBundleCommand } from "./commands/support-bundle.ts";
import { addTokenCommands } from "./commands/token.ts";
import { addUserCommands } from "./commands/user.ts";
import { examples } from "./examples.ts";
import type { Cli } from "./invocation.ts";

const exitCodesHelp = `
Exit codes:
  0  done
  1  failed
  2  wrong usage
  3  cannot reach the server, or not allowed
  75, 78  serve, restores, and moving to PostgreSQL: data folder in use, try again later;
          unusable configuration, key or data

Commands call the server that runs on the data folder; without one they open the
data folder themselves. --url, or ATRIUM_URL, names a server elsewhere, and its API
token comes from ATRIUM_TOKEN or --token-file. Passwords and tokens are never taken
from an argument. Results go to standard output, everything else to standard error.
`;

/**
 * The whole command line: every command with its help. `isJson`: standard error is for the failure alone, the help that
 * goes there with a missing command is left out.
 */
export const createProgram = (cli: Cli, version: string, isJson = false): Command => {
  const program = new Command("atrium")
    .description("Runs and looks after an Atrium installation")
    .version(version, "-V, --version", "print the version")
    .option("--json", "print exactly the API's data, and failures as JSON on standard error")
    .option("--url <origin>", "call the server at this address instead of the one on this machine")
    .option("--token-file <path>", 'file with the API token for --url; "-" reads standard input')
    .option("--yes", "answer every confirmation with yes")
    .option("--data-dir <folder>", "the installation's data folder, instead of DATA_DIR")
    .helpOption("-h, --help", "show this help")
    .configureHelp({ showGlobalOptions: true })
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
        ["Make an admin from the terminal", "atrium admin create --email ada@example.com --name Ada"],
        ["Look for what is wrong with an installation", "atrium doctor"],
      ) + exitCodesHelp,
    );
  addServeCommand(program, cli);
  addMigrateCommand(program, cli);
  addAdminCommands(program, cli);
  addUserCommands(program, cli);
  addContactCommands(program, cli);
  addActivityCommands(program, cli);
  addMailCommands(program, cli);
  addSettingsCommands(program, cli);
  addPluginCommands(program, cli);
  addTokenCommands(program, cli);
  addSecretsCommands(program, cli);
  addSnapshotCommands(program, cli);
  addBackupCommands(program, cli);
  addRestoreCommand(program, cli);
  addStatusCommand(program, cli);
  addDoctorCommand(program, cli);
  addSupportBundleCommand(program, cli);
  addOpenApiCommand(program, cli);
  addApiCommand(program, cli);
  addSchemaCommand(program, cli);
  addCompletionCommand(program, cli);
  addManCommand(program, cli, version);
  return program;
};
