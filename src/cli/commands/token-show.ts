import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { findToken } from "#cli/find-token.ts";
import { formatMinute } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { formatFacts } from "#cli/table.ts";
import { tokenOwner, tokenState } from "#cli/token-text.ts";
import type { ApiToken } from "#contract/api-tokens.ts";

/** `token show`: one token, or the one that the command calls with. */
export const addTokenShowCommand = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("[token]", "id or name of the token; without it the one that this command calls with")
    .summary("show one token")
    .description(
      "Shows what is known of a token, never the token itself. Without an argument, of the one in ATRIUM_TOKEN or " +
        "--token-file, whatever its scopes are.",
    )
    .addHelpText(
      "after",
      examples(
        ["By name", "atrium token show ci"],
        ["What is this token for", "atrium token show --url https://atrium.example --token-file ./token"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [typed] = invocation.args;
        const token = await withClient(invocation, (client) =>
          typed === undefined
            ? client.call("GET /api/admin/tokens/current")
            : findToken(client, typed, "live"),
        );
        invocation.output.result(token, detailText);
      }),
    );
};

const detailText = (token: ApiToken, style: Style): string =>
  formatFacts(
    [
      ["Id", token.id],
      ["Name", token.name],
      ["Ends in", `…${token.hint}`],
      ["Scopes", token.scopes.join(", ")],
      ["State", tokenState(token)],
      ["Owner", tokenOwner(token)],
      ["Networks", token.allowedNetworks.join(", ") || "any"],
      ["Calls a minute", token.callsPerMinute === null ? "no limit" : String(token.callsPerMinute)],
      ["Created", formatMinute(token.createdAt)],
      ["Expires", formatMinute(token.expiresAt)],
      ["Last used", lastUse(token)],
      ...(token.revokedAt === null ? [] : [["Revoked", formatMinute(token.revokedAt)] as const]),
    ],
    style,
  );

const lastUse = ({ lastUsedAt, lastUsedIp }: ApiToken): string =>
  lastUsedIp === null ? formatMinute(lastUsedAt) : `${formatMinute(lastUsedAt)} from ${lastUsedIp}`;
