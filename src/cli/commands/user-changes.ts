import { Argument, type Command } from "commander";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { type UserSource, userParam } from "#cli/user-param.ts";
import { type Role, roles } from "#contract/users.ts";
import { addUserRemovePendingCommand } from "./user-remove-pending.ts";

type Person = { name: string; email: string };

/** `user set-role`, `disable`, `enable`, `verify`, `send-reset`, `end-sessions` and `delete`; `user verify` and `remove-pending` are about registrations. */
export const addUserChanges = (group: Command, cli: Cli): void => {
  addSetRole(group, cli);
  addDisable(group, cli);
  addEnable(group, cli);
  addVerify(group, cli);
  addSendReset(group, cli);
  addEndSessions(group, cli);
  addDelete(group, cli);
  addUserRemovePendingCommand(group, cli);
};

const userWords = "address or id of the account";
type UserParam = Awaited<ReturnType<typeof userParam>>;

/** Makes calls about the account that was typed first. */
const withUser = <T>(
  invocation: Invocation,
  work: (client: Client, params: UserParam) => Promise<T>,
  source: UserSource = "users",
): Promise<T> => {
  const [typed = ""] = invocation.args;
  return withClient(invocation, async (client) => work(client, await userParam(client, { typed, source })));
};

const called = ({ name, email }: Person): string => printable(`${name} <${email}>`);

const addSetRole = (group: Command, cli: Cli): void => {
  group
    .command("set-role")
    .argument("<user>", userWords)
    .addArgument(new Argument("<role>", "the new role").choices(roles))
    .summary("make somebody an administrator, or a user again")
    .description(
      "Sets an account's role. Whose role changes is signed out everywhere. The last administrator stays one.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Make somebody an administrator", "atrium user set-role ada@example.com admin"],
        ["Take it back", "atrium user set-role ada@example.com user"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const role = roleOf(invocation.args[1]);
        const user = await withUser(invocation, (client, params) =>
          client.call("PUT /api/admin/users/:user/role", { params, body: { role } }),
        );
        invocation.output.result(user, () => `${called(user)} has the role ${user.role}`);
      }),
    );
};

// Commander has refused every other word.
const roleOf = (word: string | undefined): Role => (word === "admin" ? "admin" : "user");

const addDisable = (group: Command, cli: Cli): void => {
  group
    .command("disable")
    .argument("<user>", userWords)
    .summary("shut somebody out")
    .description(
      "Disables an account: all its sessions end, and nobody signs in to it until it is enabled. Asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium user disable ada@example.com"],
        ["In a script", "atrium user disable ada@example.com --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const user = await withUser(invocation, async (client, params) => {
          await invocation.confirm(async () => {
            const found = await client.call("GET /api/admin/users/:user", { params });
            return `Disable ${called(found)}${endingWords(found.sessionCount)}?`;
          });
          return client.call("POST /api/admin/users/:user/disable", { params });
        });
        invocation.output.result(user, () => `Disabled ${called(user)}`);
      }),
    );
};

const endingWords = (sessions: number): string => {
  if (sessions === 0) return "";
  return sessions === 1 ? " and end their session" : ` and end their ${sessions} sessions`;
};

const addEnable = (group: Command, cli: Cli): void => {
  group
    .command("enable")
    .argument("<user>", userWords)
    .summary("let somebody in again")
    .description("Enables a disabled account: its owner can sign in again as before.")
    .option(...planOption)
    .addHelpText("after", examples(["By address", "atrium user enable ada@example.com"]))
    .action(
      handler(cli, async (invocation) => {
        const user = await withUser(invocation, (client, params) =>
          client.call("POST /api/admin/users/:user/enable", { params }),
        );
        invocation.output.result(user, () => `Enabled ${called(user)}`);
      }),
    );
};

const addVerify = (group: Command, cli: Cli): void => {
  group
    .command("verify")
    .argument("<registration>", "address, or id of a registration, as `user list --pending` shows them")
    .summary("verify a registration by hand")
    .description(
      "Makes an account of a registration as if its mailed link had been followed: of the only one of an address, or of " +
        "the very one with that id. Where several of an address wait, only an id will do. Be sure that the registration " +
        "is theirs: whoever made it signs in with its password.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["The only registration of an address", "atrium user verify ada@example.com"],
        ["One registration, by its id", "atrium user verify 019a9f00-0000-7000-8000-000000000000"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const user = await withUser(
          invocation,
          (client, params) => client.call("POST /api/admin/pending-users/:user/verify", { params }),
          "pending-users",
        );
        invocation.output.result(user, () => `Verified ${called(user)}; they can sign in now`);
      }),
    );
};

const addSendReset = (group: Command, cli: Cli): void => {
  group
    .command("send-reset")
    .argument("<user>", userWords)
    .summary("mail somebody a link to choose a new password")
    .description(
      "Mails the account's address a link to choose a new password, good for an hour; older links end. The password " +
        "that they have works until the link is followed.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["By address", "atrium user send-reset ada@example.com"]))
    .action(
      handler(cli, async (invocation) => {
        const { sent, isServer } = await withUser(invocation, async (client, params) => ({
          sent: await client.call("POST /api/admin/users/:user/send-reset", { params }),
          isServer: client.isServer,
        }));
        const when = isServer ? "" : " once the server starts; none is running";
        invocation.output.result(
          sent,
          ({ email }) => `A link to choose a new password goes to ${printable(email)}${when}`,
        );
      }),
    );
};

const addEndSessions = (group: Command, cli: Cli): void => {
  group
    .command("end-sessions")
    .argument("<user>", userWords)
    .summary("sign somebody out everywhere")
    .description("Ends every session of an account; its owner can sign in again.")
    .option(...planOption)
    .addHelpText("after", examples(["By address", "atrium user end-sessions ada@example.com"]))
    .action(
      handler(cli, async (invocation) => {
        const answer = await withUser(invocation, (client, params) =>
          client.call("DELETE /api/admin/users/:user/sessions", { params }),
        );
        invocation.output.result(answer, ({ ended }) =>
          ended === 0
            ? "There are no open sessions; nothing was changed"
            : `Ended ${ended} ${ended === 1 ? "session" : "sessions"}`,
        );
      }),
    );
};

const addDelete = (group: Command, cli: Cli): void => {
  group
    .command("delete")
    .argument("<user>", userWords)
    .summary("delete an account for good")
    .description(
      "Deletes an account with its sessions and ways to sign in. Nothing brings it back. Asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium user delete ada@example.com"],
        ["In a script", "atrium user delete 019a9f00-0000-7000-8000-000000000000 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const user = await withUser(invocation, async (client, params) => {
          await invocation.confirm(async () => {
            const found = await client.call("GET /api/admin/users/:user", { params });
            return `Delete ${called(found)} for good?`;
          });
          return client.call("DELETE /api/admin/users/:user", { params });
        });
        invocation.output.result(user, () => `Deleted ${called(user)}`);
      }),
    );
};
