import { type Command, Option } from "commander";
import { passwordFrom } from "#cli/ask-password.ts";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { type Role, roles } from "#contract/users.ts";
import { refuseUnusable } from "./admin.ts";

type CreateOptions = { email: string; name: string; role: Role; passwordStdin?: true };

/** `user create`: an account that somebody else made. */
export const addUserCreateCommand = (group: Command, cli: Cli): void => {
  group
    .command("create")
    .summary("create an account")
    .description(
      "Creates an account whose owner may sign in at once, without verifying the address. The password is asked for twice " +
        "without showing it, or read from standard input. An installation is begun with: atrium admin create.",
    )
    .requiredOption("--email <address>", "e-mail address to sign in with")
    .requiredOption("--name <name>", "the person's name")
    .addOption(new Option("--role <role>", "what the account may do").choices(roles).default("user"))
    .option("--password-stdin", "read the password from standard input instead of asking")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask for the password", "atrium user create --email bob@example.com --name Bob"],
        [
          "In a script",
          "atrium user create --email bob@example.com --name Bob --password-stdin < password.txt",
        ],
      ),
    )
    .action(
      handler<CreateOptions>(cli, async (invocation, { email, name, role, passwordStdin }) => {
        refuseUnusable({ email, name });
        // A plan needs none, and asks for none.
        const isFromInput = passwordStdin === true;
        const password = invocation.isPlan ? "" : await passwordFrom(invocation.terminal, { isFromInput });
        const user = await withClient(invocation, (client) =>
          client.call("POST /api/admin/users", { body: { email, name, password, role } }),
        );
        invocation.output.result(user, () =>
          printable(`Created ${user.name} <${user.email}> with the role ${user.role}`),
        );
      }),
    );
};
