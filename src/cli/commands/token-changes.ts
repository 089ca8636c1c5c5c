import type { Command } from "commander";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken, findToken, type WantedToken } from "#cli/find-token.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { type CallLimit, callsOption, limitOf, networkOption } from "#cli/token-terms.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import type { ApiToken } from "#contract/api-tokens.ts";

type Terms = { name?: string; network?: string[]; callsPerMinute?: CallLimit };

/** `token update`, `revoke` and `remove`. */
export const addTokenChanges = (group: Command, cli: Cli): void => {
  addUpdate(group, cli);
  addRevoke(group, cli);
  addRemove(group, cli);
};

const tokenWords = "id or name of the token";

type Change = { wanted: WantedToken; send: (client: Client, token: ApiToken) => Promise<void> };

/** Finds the token that was typed, and changes it. */
const change = (invocation: Invocation, { wanted, send }: Change): Promise<void> => {
  const [typed = ""] = invocation.args;
  return withClient(invocation, async (client) => send(client, await findToken(client, typed, wanted)));
};

const addUpdate = (group: Command, cli: Cli): void => {
  group
    .command("update")
    .argument("<token>", tokenWords)
    .option("--name <name>", "what the token is for")
    .addOption(networkOption())
    .addOption(callsOption())
    .option(...planOption)
    .summary("change a token's name, networks or limit")
    .description(
      "Changes what is given, and leaves the rest. Scopes and end are fixed: create another token for other ones.",
    )
    .addHelpText(
      "after",
      examples(
        ["Only from two networks", "atrium token update ci --network 10.0.0.0/8 --network 192.0.2.7"],
        [
          "From anywhere again, without a limit",
          "atrium token update ci --network any --calls-per-minute none",
        ],
        ["Another name", "atrium token update ci --name nightly"],
      ),
    )
    .action(
      handler<Terms>(cli, async (invocation, { name, network, callsPerMinute }) => {
        const body = given({ name, allowedNetworks: network, callsPerMinute: limitOf(callsPerMinute) });
        if (Object.keys(body).length === 0)
          throw new CliFailure("USAGE", "give what to change: --name, --network or --calls-per-minute");
        await change(invocation, {
          wanted: "live",
          send: async (client, { id }) => {
            const changed = await client.call("PATCH /api/admin/tokens/:id", { params: { id }, body });
            invocation.output.result(changed, (token) =>
              printable(`Changed ${calledToken(token)}: ${tokenTermsText(token)}`),
            );
          },
        });
      }),
    );
};

const addRevoke = (group: Command, cli: Cli): void => {
  group
    .command("revoke")
    .argument("<token>", tokenWords)
    .option(...planOption)
    .summary("end a token at once")
    .description(
      "Revokes a token for good: the very next call with it is refused, on every server. Asks first.",
    )
    .addHelpText(
      "after",
      examples(
        ["By name", "atrium token revoke ci"],
        ["In a script", "atrium token revoke 019a9f00-0000-7000-8000-000000000000 --yes"],
      ),
    )
    .action(
      handler(cli, (invocation) =>
        change(invocation, {
          wanted: "live",
          send: async (client, found) => {
            await invocation.confirm(async () => `Revoke ${calledToken(found)} for good?`);
            const params = { id: found.id };
            const revoked = await client.call("POST /api/admin/tokens/:id/revoke", { params, body: {} });
            invocation.output.result(revoked, (token) => `Revoked ${calledToken(token)}`);
          },
        }),
      ),
    );
};

const addRemove = (group: Command, cli: Cli): void => {
  group
    .command("remove")
    .argument("<token>", tokenWords)
    .option(...planOption)
    .summary("take a token that can no longer be used off the list")
    .description(
      "Removes a token that has expired or was revoked from the list; the activity log keeps what it did. One that can be " +
        "used still is revoked first.",
    )
    .addHelpText("after", examples(["Once it is revoked", "atrium token remove ci"]))
    .action(
      handler(cli, (invocation) =>
        change(invocation, {
          wanted: "dead",
          send: async (client, { id, name, hint }) => {
            await client.call("DELETE /api/admin/tokens/:id", { params: { id } });
            invocation.output.result({ id, name }, () => `Removed ${calledToken({ name, hint })}`);
          },
        }),
      ),
    );
};
