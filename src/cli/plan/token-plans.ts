import type { ApiToken } from "#api/modules/tokens/contract.ts";
import type { Client as Operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken } from "#cli/find-token.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import { tokenLimits, tokenTexts } from "#contract/api-tokens.ts";
import type { OperationPlan } from "./plan.ts";

type Tokens = Operations["tokens"];

/** The plans for API tokens. */
export const tokenPlans: {
  readonly [N in Exclude<keyof Tokens, "list" | "current"> as `tokens.${N}`]: OperationPlan<Tokens[N]>;
} = {
  "tokens.create": async (client, wish) => {
    const { name, scopes, expiresAt, allowedNetworks = [], callsPerMinute = null } = wish;
    const live = (await tokensOf(client)).filter(({ state }) => state === "live");
    refuseTaken(live, name);
    if (live.length >= tokenLimits.liveTokens) throw new CliFailure("CONFLICT", tokenTexts.tooMany);
    const usual = new Date(Date.now() + tokenLimits.defaultDays * 86_400_000).toISOString();
    const end = expiresAt === undefined ? usual : expiresAt;
    if (end !== null && new Date(end) <= new Date())
      throw new CliFailure("VALIDATION_FAILED", tokenTexts.expiryPast);
    const terms = { scopes, expiresAt: end, allowedNetworks, callsPerMinute };
    return `Would create ${name.trim()}: ${tokenTermsText(terms)}`;
  },
  "tokens.change": async (client, { id, name }) => {
    const { token, others } = await find(client, id);
    if (token.state !== "live") throw new CliFailure("CONFLICT", tokenTexts.changeDead);
    const live = others.filter(({ state }) => state === "live");
    if (name !== undefined) refuseTaken(live, name);
    return `Would change ${calledToken(token)}`;
  },
  "tokens.revoke": async (client, { id }) => {
    const { token } = await find(client, id);
    if (token.state === "revoked") throw new CliFailure("CONFLICT", tokenTexts.revokedBefore);
    return `Would revoke ${calledToken(token)}`;
  },
  "tokens.remove": async (client, { id }) => {
    const { token } = await find(client, id);
    if (token.state === "live") throw new CliFailure("CONFLICT", tokenTexts.removeLive);
    return `Would remove ${calledToken(token)}`;
  },
};

const tokensOf = async (client: Client): Promise<ApiToken[]> =>
  (await operationsOf(client).tokens.list()).data.tokens;

const find = async (client: Client, wanted: string): Promise<{ token: ApiToken; others: ApiToken[] }> => {
  const tokens = await tokensOf(client);
  const token = tokens.find(({ id }) => id === wanted);
  if (token === undefined) throw new CliFailure("NOT_FOUND", tokenTexts.unknown);
  return { token, others: tokens.filter((one) => one !== token) };
};

const refuseTaken = (live: readonly ApiToken[], name: string): void => {
  if (live.some((token) => token.name.toLowerCase() === name.trim().toLowerCase()))
    throw new CliFailure("CONFLICT", tokenTexts.nameTaken);
};
