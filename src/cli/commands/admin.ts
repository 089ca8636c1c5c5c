import type { Command } from "commander";
import { passwordFrom } from "#cli/ask-password.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { Planned, planOption } from "#cli/plan/planned.ts";
import { isWithoutInstallation } from "#cli/to-failure.ts";
import { emailComplaint, nameComplaint } from "#contract/account-rules.ts";
import { errorTexts } from "#contract/errors.ts";

type CreateOptions = { email: string; name: string; passwordStdin?: true };

/** `admin create`: the way into an installation for whoever holds its terminal. */
export const addAdminCommands = (program: Command, cli: Cli): void => {
  program
    .command("admin")
    .summary("administrators")
    .description("Administrators of the installation")
    .command("create")
    .summary("create an administrator")
    .description(
      "Creates an administrator who may sign in at once. The password is asked for twice without showing it, or read " +
        "from standard input; it never stands in the command line, where other users and the shell's history see it.",
    )
    .requiredOption("--email <address>", "e-mail address to sign in with")
    .requiredOption("--name <name>", "the person's name")
    .option("--password-stdin", "read the password from standard input instead of asking")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask for the password", "atrium admin create --email ada@example.com --name 'Ada Lovelace'"],
        [
          "Take the password from a file, for scripts",
          "atrium admin create --email ada@example.com --name Ada --password-stdin < password.txt",
        ],
        [
          "On a server elsewhere",
          "atrium admin create --url https://atrium.example --token-file token.txt --email ada@example.com --name Ada",
        ],
      ),
    )
    .action(
      handler<CreateOptions>(cli, async (invocation, { email, name, passwordStdin }) => {
        refuseUnusable({ email, name });
        // A plan needs none, and asks for none.
        const isFromInput = passwordStdin === true;
        const password = invocation.isPlan ? "" : await passwordFrom(invocation.terminal, { isFromInput });
        const user = await withClient(
          invocation,
          (client) =>
            client.call("POST /api/admin/users", { body: { email, name, password, role: "admin" } }),
          { mayMake: true },
        ).catch((error) => {
          throw isWithoutInstallation(error) ? firstPlan({ email, name }) : error;
        });
        invocation.output.result(user, () => `Created the administrator ${user.name} <${user.email}>`);
      }),
    );
};

/** What a plan says where the command would make the installation too. */
const firstPlan = ({ email, name }: { email: string; name: string }): Planned =>
  new Planned({
    words: `Would make an installation and the administrator ${name} <${email}>`,
    call: "POST /api/admin/users",
  });

/** What the server would refuse anyway, before anybody types a password twice. */
export const refuseUnusable = ({ email, name }: { email: string; name: string }): void => {
  const errors = [
    { path: "email", message: emailComplaint(email) },
    { path: "name", message: nameComplaint(name) },
  ].flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (errors.length > 0)
    throw new CliFailure("VALIDATION_FAILED", errors[0]?.message ?? errorTexts.VALIDATION_FAILED, { errors });
};
