import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";
import { operationsOf } from "./operations/operations-of.ts";
import { printable } from "./output.ts";

/** Which of several tokens with one name is meant: the one that can be used, or one that cannot any more. */
export type WantedToken = "live" | "dead";

/**
 * The token with this id, or with this name in any case: of several the only one that is `wanted`. Throws `NOT_FOUND`, and
 * `CONFLICT` where the name does not tell which is meant.
 */
export const findToken = async (client: Client, typed: string, wanted: WantedToken): Promise<ApiToken> => {
  const { tokens } = (await operationsOf(client).tokens.list()).data;
  const key = typed.trim().toLowerCase();
  const byId = tokens.find(({ id }) => id === key);
  if (byId !== undefined) return byId;
  const named = tokens.filter(({ name }) => name.toLowerCase() === key);
  const meant = named.filter(({ state }) => (state === "live") === (wanted === "live"));
  const [found, another] = meant.length > 0 ? meant : named;
  if (found === undefined) throw new CliFailure("NOT_FOUND", tokenTexts.unknown);
  if (another !== undefined)
    throw new CliFailure("CONFLICT", "Several tokens have this name; choose one by its id", {
      errors: named.map(({ id, hint, state }) => ({ path: id, message: `…${hint}, ${state}` })),
    });
  return found;
};

/** A token as a sentence names it. */
export const calledToken = ({ name, hint }: Pick<ApiToken, "name" | "hint">): string =>
  printable(`${name} (…${hint})`);
