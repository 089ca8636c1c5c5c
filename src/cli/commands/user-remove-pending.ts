import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { userParam } from "#cli/user-param.ts";

/** `user remove-pending`: what waits for its verification goes. */
export const addUserRemovePendingCommand = (group: Command, cli: Cli): void => {
  group
    .command("remove-pending")
    .argument("<registration>", "address, or id of a registration, as `user list --pending` shows them")
    .summary("remove the registrations of an address")
    .description(
      "Removes every registration of an address that waits for its verification: their mailed links end, and the address " +
        "can be registered again. Asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium user remove-pending ada@example.com"],
        ["In a script", "atrium user remove-pending ada@example.com --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [typed = ""] = invocation.args;
        const removed = await withClient(invocation, async (client) => {
          const params = await userParam(client, { typed, source: "pending-users" });
          await invocation.confirm(async () => `Remove all registrations of ${typed}?`);
          return client.call("DELETE /api/admin/pending-users/:user", { params });
        });
        invocation.output.result(removed, ({ message }) => message);
      }),
    );
};
