import type { CreateTokenInput, NewApiToken } from "#api/modules/tokens/contract.ts";
import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken } from "#cli/find-token.ts";
import { given } from "#cli/given.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { endOf } from "#cli/key-terms.ts";
import { printable } from "#cli/output.ts";
import { saveFile } from "#cli/save-file.ts";
import { toFailure } from "#cli/to-failure.ts";
import { type CallLimit, limitOf } from "#cli/token-terms.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import { operationsOf } from "./operations-of.ts";

export type NewTokenOptions = {
  name: string;
  scope: TokenScope[];
  expires?: string;
  network?: string[];
  callsPerMinute?: CallLimit;
  out?: string;
};

/** `token create`: makes a token and prints it, this once. */
export const createToken = async (
  invocation: Invocation,
  { name, scope, expires, network, callsPerMinute, out }: NewTokenOptions,
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

const send = async (client: Client, body: CreateTokenInput): Promise<NewApiToken> => {
  const made = (await operationsOf(client).tokens.create(body)).data;
  if (tokenShape.test(made.token)) return made;
  throw new CliFailure("UNREACHABLE", `${client.target} does not answer like Atrium: it made no API token`);
};

// It goes to the terminal, or into a file, as it is.
const tokenShape = /^atr_[0-9A-Za-z]{1,100}$/;

/** Makes the token only once the file can be written, and ends it again should the writing fail nevertheless. */
const sendTo = async (file: string, client: Client, body: CreateTokenInput): Promise<NewApiToken> => {
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
      await operationsOf(client)
        .tokens.revoke({ id })
        .catch((reason) => {
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
