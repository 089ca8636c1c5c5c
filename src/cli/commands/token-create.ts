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
import { planResult } from "#cli/plan/planned.ts";
import { saveFile } from "#cli/save-file.ts";
import {
  type CallLimit,
  callsOption,
  limitOf,
  networkOption,
  readExpiry,
  scopeOption,
} from "#cli/token-terms.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import { type NewApiToken, type TokenScope, tokenLimits, tokenTexts } from "#contract/api-tokens.ts";

type CreateOptions = {
  name: string;
  scope: TokenScope[];
  expires?: string;
  network?: string[];
  callsPerMinute?: CallLimit;
  out?: string;
  plan?: true;
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
    .option("--plan", "change nothing; say what would be created, or why it would not")
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
  { name, scope, expires, network, callsPerMinute, out, plan }: CreateOptions,
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
    if (plan) return planned(invocation, client, body);
    const { output } = invocation;
    const made = out === undefined ? await send(client, body) : await sendTo(out, client, body);
    const words = `Created ${calledToken(made)}: ${printable(tokenTermsText(made))}`;
    if (out !== undefined) {
      const { token: _, ...known } = made;
      output.result({ ...known, file: out }, () => `${words}. The token is in ${out}`);
      return;
    }
    output.result(made, ({ token }) => token);
    if (!output.isJson) output.note(`${words}. It is not shown again; its id is ${made.id}`);
  });
};

const send = (client: Client, body: Wish): Promise<NewApiToken> =>
  client.call("POST /api/admin/tokens", { body });

/** Makes the token only once the file can be written, and ends it again should the writing fail nevertheless. */
const sendTo = async (file: string, client: Client, body: Wish): Promise<NewApiToken> => {
  const made: NewApiToken[] = [];
  const bytes = async function* () {
    const token = await send(client, body);
    made.push(token);
    yield new TextEncoder().encode(`${token.token}\n`);
  };
  try {
    await saveFile(file, bytes());
  } catch (error) {
    for (const { id } of made)
      await client.call("POST /api/admin/tokens/:id/revoke", { params: { id }, body: {} });
    throw error;
  }
  const [token] = made;
  if (token === undefined) throw new Error("nothing was written");
  return token;
};

const planned = async (
  { output }: Invocation,
  client: Client,
  { name, scopes, expiresAt, allowedNetworks = [], callsPerMinute = null }: Wish,
): Promise<void> => {
  const { tokens } = await client.call("GET /api/admin/tokens");
  const live = tokens.filter(({ state }) => state === "live");
  if (live.some((token) => token.name.toLowerCase() === name.trim().toLowerCase()))
    throw new CliFailure("CONFLICT", tokenTexts.nameTaken);
  if (live.length >= tokenLimits.liveTokens) throw new CliFailure("CONFLICT", tokenTexts.tooMany);
  const usual = new Date(Date.now() + tokenLimits.defaultDays * 86_400_000).toISOString();
  const end = expiresAt === undefined ? usual : expiresAt;
  if (end !== null && new Date(end) <= new Date())
    throw new CliFailure("VALIDATION_FAILED", tokenTexts.expiryPast);
  const token = { name: name.trim(), scopes, expiresAt: end, allowedNetworks, callsPerMinute };
  const words = printable(`Would create ${token.name}: ${tokenTermsText(token)}`);
  output.result(planResult([{ words, call: "POST /api/admin/tokens" }]), () => words);
};
