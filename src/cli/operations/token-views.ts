import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken, findToken } from "#cli/find-token.ts";
import { formatMinute } from "#cli/format.ts";
import { given } from "#cli/given.ts";
import { withClient } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/output.ts";
import { type Column, formatFacts, whole } from "#cli/table.ts";
import {
  type CallLimit,
  limitOf,
  readCalls,
  readExpiry,
  readNetworks,
  readScopes,
} from "#cli/token-terms.ts";
import { tokenOwner, tokenState, tokenTermsText } from "#cli/token-text.ts";
import { type TokenState, tokenTexts } from "#contract/api-tokens.ts";
import { createToken, type NewTokenOptions } from "./create-token.ts";
import { operationsOf } from "./operations-of.ts";
import { listText, type View } from "./view.ts";

type Terms = { name?: string; network?: string[]; callsPerMinute?: CallLimit };

const termReaders = { network: readNetworks, "calls-per-minute": readCalls };

/** How the commands about tokens show what is answered; where they call more than one operation, what they do. */
export const tokenViews = {
  "token create": {
    read: {
      ...termReaders,
      scope: readScopes,
      expires: (text: string) => readExpiry(text, new Date()),
    },
    run: createToken,
  } satisfies View<never, never, NewTokenOptions>,
  "token list": {
    run: async (invocation, { state: wanted }) => {
      const { tokens } = (await withClient(invocation, (client) => operationsOf(client).tokens.list())).data;
      const shown = tokens.filter(({ state }) => wanted === undefined || state === wanted);
      invocation.output.result(shown, (rows, style) =>
        listText(rows, { columns: columnsFor(style), none: `${tokenTexts.none}.`, style }),
      );
    },
  } satisfies View<never, never, { state?: TokenState }>,
  "token show": {
    run: async (invocation) => {
      const [typed] = invocation.args;
      const token = await withClient(invocation, async (client) =>
        typed === undefined
          ? (await operationsOf(client).tokens.current()).data
          : findToken(client, typed, "live"),
      );
      invocation.output.result(token, factsOf);
    },
  } satisfies View<never>,
  "token update": {
    read: termReaders,
    input: (_, { name, network, callsPerMinute }) => {
      const terms = given({ name, allowedNetworks: network, callsPerMinute: limitOf(callsPerMinute) });
      if (Object.keys(terms).length === 0)
        throw new CliFailure("USAGE", "give what to change: --name, --network or --calls-per-minute");
      return terms;
    },
    text: (token) => printable(`Changed ${calledToken(token)}: ${tokenTermsText(token)}`),
  } satisfies View<ApiToken, never, Terms>,
  "token remove": {
    run: (invocation) =>
      withClient(invocation, async (client) => {
        const { id, name, hint } = await findToken(client, invocation.args[0] ?? "", "dead");
        await operationsOf(client).tokens.remove({ id });
        invocation.output.result({ id, name }, () => `Removed ${calledToken({ name, hint })}`);
      }),
  } satisfies View<never>,
};

const columnsFor = (style: Style): Column<ApiToken>[] => [
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

const factsOf = (token: ApiToken, style: Style): string =>
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
