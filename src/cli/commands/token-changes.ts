import type { Command } from "commander";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken, findToken, type WantedToken } from "#cli/find-token.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planResult } from "#cli/plan/planned.ts";
import { type CallLimit, callsOption, limitOf, networkOption } from "#cli/token-terms.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import { type ApiToken, tokenTexts } from "#contract/api-tokens.ts";

type Planned = { plan?: true };
type Terms = { name?: string; network?: string[]; callsPerMinute?: CallLimit };

/** `token update`, `revoke` and `remove`. */
export const addTokenChanges = (group: Command, cli: Cli): void => {
  addUpdate(group, cli);
  addRevoke(group, cli);
  addRemove(group, cli);
};

const tokenWords = "id or name of the token";
const planWords = "change nothing; say what would be done, or why it would not";

/** What each change is called, and the call that makes it. */
const calls = {
  change: "PATCH /api/admin/tokens/:id",
  revoke: "POST /api/admin/tokens/:id/revoke",
  remove: "DELETE /api/admin/tokens/:id",
} as const;

type Change = {
  /** What the plan calls it, as in "Would revoke ci". */
  verb: keyof typeof calls;
  wanted: WantedToken;
  /** Why the server would refuse it as things are; `null` when it would not. */
  obstacle: (token: ApiToken) => string | null;
  isPlan: boolean;
  send: (client: Client, token: ApiToken) => Promise<void>;
};

/** Finds the token that was typed, and changes it or says what would be changed. */
const change = (invocation: Invocation, { verb, wanted, obstacle, isPlan, send }: Change): Promise<void> => {
  const [typed = ""] = invocation.args;
  return withClient(invocation, async (client) => {
    const token = await findToken(client, typed, wanted);
    if (!isPlan) return send(client, token);
    const complaint = obstacle(token);
    if (complaint !== null) throw new CliFailure("CONFLICT", complaint);
    const words = `Would ${verb} ${calledToken(token)}`;
    invocation.output.result(planResult([{ words, call: calls[verb] }]), () => words);
  });
};

const addUpdate = (group: Command, cli: Cli): void => {
  group
    .command("update")
    .argument("<token>", tokenWords)
    .option("--name <name>", "what the token is for")
    .addOption(networkOption())
    .addOption(callsOption())
    .option("--plan", planWords)
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
      handler<Terms & Planned>(cli, async (invocation, { name, network, callsPerMinute, plan }) => {
        const body = given({ name, allowedNetworks: network, callsPerMinute: limitOf(callsPerMinute) });
        if (Object.keys(body).length === 0)
          throw new CliFailure("USAGE", "give what to change: --name, --network or --calls-per-minute");
        await change(invocation, {
          verb: "change",
          wanted: "live",
          obstacle: ({ state }) => (state === "live" ? null : tokenTexts.changeDead),
          isPlan: plan === true,
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
    .option("--plan", planWords)
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
      handler<Planned>(cli, (invocation, { plan }) =>
        change(invocation, {
          verb: "revoke",
          wanted: "live",
          obstacle: ({ state }) => (state === "revoked" ? tokenTexts.revokedBefore : null),
          isPlan: plan === true,
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
    .option("--plan", planWords)
    .summary("take a token that can no longer be used off the list")
    .description(
      "Removes a token that has expired or was revoked from the list; the activity log keeps what it did. One that can be " +
        "used still is revoked first.",
    )
    .addHelpText("after", examples(["Once it is revoked", "atrium token remove ci"]))
    .action(
      handler<Planned>(cli, (invocation, { plan }) =>
        change(invocation, {
          verb: "remove",
          wanted: "dead",
          obstacle: ({ state }) => (state === "live" ? tokenTexts.removeLive : null),
          isPlan: plan === true,
          send: async (client, { id, name, hint }) => {
            await client.call("DELETE /api/admin/tokens/:id", { params: { id } });
            invocation.output.result({ id, name }, () => `Removed ${calledToken({ name, hint })}`);
          },
        }),
      ),
    );
};
