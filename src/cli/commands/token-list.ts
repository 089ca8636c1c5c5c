import { type Command, Option } from "commander";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { tokenOwner, tokenState } from "#cli/token-text.ts";
import { type ApiToken, type TokenState, tokenStates, tokenTexts } from "#contract/api-tokens.ts";

/** `token list`: the tokens that there are, never what they are. */
export const addTokenListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the tokens")
    .description(
      "Lists the tokens, newest first, with those that can no longer be used; never the tokens themselves, only their last " +
        "four characters. Elsewhere than on a terminal one a line with tabs between name, last characters, scopes, state, " +
        "owner, last use, end and id.",
    )
    .addOption(new Option("--state <state>", "only those in this state").choices(tokenStates))
    .addHelpText(
      "after",
      examples(
        ["All of them", "atrium token list"],
        ["What could be used still", "atrium token list --state live"],
        [
          "What was never used, for a script",
          "atrium token list --json | jq -r '.[] | select(.lastUsedAt == null) | .id'",
        ],
      ),
    )
    .action(
      handler<{ state?: TokenState }>(cli, async (invocation, { state: wanted }) => {
        const { tokens } = await withClient(invocation, (client) => client.call("GET /api/admin/tokens"));
        const shown = tokens.filter(({ state }) => wanted === undefined || state === wanted);
        invocation.output.result(shown, (rows, style) =>
          rows.length === 0 && style.isTerminal
            ? `${tokenTexts.none}.`
            : formatTable(columns(style), rows, style),
        );
      }),
    );
};

const columns = (style: Style): Column<ApiToken>[] => [
  { heading: "NAME", cell: ({ name }) => name },
  { heading: "ENDS IN", cell: ({ hint }) => `…${hint}`, least: whole },
  { heading: "SCOPES", cell: ({ scopes }) => scopes.join(", ") },
  {
    heading: "STATE",
    cell: tokenState,
    paint: (text, token) => (tokenState(token) === "live" ? style.green(text) : style.red(text)),
  },
  { heading: "OWNER", cell: tokenOwner, isSpare: true },
  { heading: "LAST USED", cell: ({ lastUsedAt }) => formatMinute(lastUsedAt), least: whole, isSpare: true },
  { heading: "EXPIRES", cell: ({ expiresAt }) => formatMinute(expiresAt), least: whole, isSpare: true },
  { heading: "ID", cell: ({ id }) => id, least: whole, isSpare: true },
];
