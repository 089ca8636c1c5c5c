import type { Command } from "commander";
import type { ApiInput } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken } from "#cli/find-token.ts";
import { given } from "#cli/given.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { endOf } from "#cli/key-terms.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { saveFile } from "#cli/save-file.ts";
import { toFailure } from "#cli/to-failure.ts";
import {
  type CallLimit,
  callsOption,
  limitOf,
  networkOption,
  readExpiry,
  scopeOption,
} from "#cli/token-terms.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import { type NewApiToken, type TokenScope, tokenLimits } from "#contract/api-tokens.ts";

type CreateOptions = {
  name: string;
  scope: TokenScope[];
  expires?: string;
  network?: string[];
  callsPerMinute?: CallLimit;
  out?: string;
};
type Wish = NonNullable<ApiInput<"POST /api/admin/tokens">["body"]>;

/** `token create`: makes a token and prints it, this once. */
export const addTokenCreateCommand = (group: Command, cli: Cli): void => {
  group
    .command("create")
    .requiredOption("--name <name>", "what the token is for; of those that can be used, one has it")
    .addOption(scopeOption().makeOptionMandatory())
    .option(
      "--expires <when>",
      `when it ends: 90d, 2030-01-31, 2030-01-31T00:00:00Z or never (default: ${tokenLimits.defaultDays}d)`,
      (text) => readExpiry(text, new Date()),
    )
    .addOption(networkOption())
    .addOption(callsOption())
    .option("--out <file>", "write the token to this file, for its owner alone, instead of standard output")
    .option(...planOption)
    .summary("create a token")
    .description(
      "Creates an API token and prints it: alone on standard output, so that a script can take it, and what was created on " +
        "standard error. It is shown this once; only its hash is kept.",
    )
    .addHelpText(
      "after",
      examples(
        ["For a pipeline that updates plugins", "atrium token create --name ci --scope plugins:write"],
        [
          "Into a variable",
          'ATRIUM_TOKEN="$(atrium token create --name report --scope activity:read --expires 30d)"',
        ],
        [
          "Into a file, and usable from one network only",
          "atrium token create --name backup --scope '*' --network 10.0.0.0/8 --out ./token",
        ],
        ["See what would be created", "atrium token create --name ci --scope plugins:write --plan"],
      ),
    )
    .action(handler<CreateOptions>(cli, create));
};

const create = async (
  invocation: Invocation,
  { name, scope, expires, network, callsPerMinute, out }: CreateOptions,
): Promise<void> => {
  const body = {
    name,
    scopes: scope,
    ...given({
      expiresAt: endOf(expires),
      allowedNetworks: network,
      callsPerMinute: limitOf(callsPerMinute),
    }),
  };
  await withClient(invocation, async (client) => {
    const { output, isPlan } = invocation;
    // A plan leaves the file alone as well.
    const made = out === undefined || isPlan ? await send(client, body) : await sendTo(out, client, body);
    const words = `Created ${calledToken(made)}: ${printable(tokenTermsText(made))}`;
    if (out !== undefined) {
      const { token: _, ...known } = made;
      output.result({ ...known, file: out }, () => `${words}. The token is in ${out}`);
      return;
    }
    output.result(made, ({ token }) => token);
    if (!output.isJson) output.note(`${words}. It is not shown again; its id is ${printable(made.id)}`);
  });
};

const send = async (client: Client, body: Wish): Promise<NewApiToken> => {
  const made = await client.call("POST /api/admin/tokens", { body });
  if (tokenShape.test(made.token)) return made;
  throw new CliFailure("UNREACHABLE", `${client.target} does not answer like Atrium: it made no API token`);
};

// It goes to the terminal, or into a file, as it is.
const tokenShape = /^atr_[0-9A-Za-z]{1,100}$/;

/** Makes the token only once the file can be written, and ends it again should the writing fail nevertheless. */
const sendTo = async (file: string, client: Client, body: Wish): Promise<NewApiToken> => {
  const made: NewApiToken[] = [];
  const bytes = async function* () {
    const token = await send(client, body);
    made.push(token);
    yield new TextEncoder().encode(`${token.token}\n`);
  };
  try {
    // What stands there already may be a token that is in use, or what somebody else has put there to read it.
    await saveFile(file, bytes(), { isNew: true });
  } catch (error) {
    for (const { id } of made)
      await client.call("POST /api/admin/tokens/:id/revoke", { params: { id }, body: {} }).catch((reason) => {
        throw staysLive(id, { error, reason });
      });
    throw error;
  }
  const [token] = made;
  if (token === undefined) throw new Error("nothing was written");
  return token;
};

/** Why nothing was written, and that the token which nobody has can be used all the same. */
const staysLive = (id: string, { error, reason }: { error: unknown; reason: unknown }): CliFailure => {
  const { kind, message } = toFailure(error);
  return new CliFailure(
    kind,
    `${message}\nThe token ${id} stays live: it could not be revoked (${toFailure(reason).message}). ` +
      `End it with: atrium token revoke ${id}`,
    { cause: error },
  );
};
