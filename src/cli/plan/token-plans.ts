import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { calledToken } from "#cli/find-token.ts";
import { tokenTermsText } from "#cli/token-text.ts";
import { type ApiToken, tokenLimits, tokenTexts } from "#contract/api-tokens.ts";
import type { Plans } from "./plan.ts";

/** The plans for API tokens. */
export const tokenPlans: Plans<
  | "POST /api/admin/tokens"
  | "PATCH /api/admin/tokens/:id"
  | "POST /api/admin/tokens/:id/revoke"
  | "DELETE /api/admin/tokens/:id"
> = {
  "POST /api/admin/tokens": async (client, { body }) => {
    const { name, scopes, expiresAt, allowedNetworks = [], callsPerMinute = null } = wished(body);
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
  "PATCH /api/admin/tokens/:id": async (client, { params, body }) => {
    const { token, others } = await find(client, params);
    if (token.state !== "live") throw new CliFailure("CONFLICT", tokenTexts.changeDead);
    const live = others.filter(({ state }) => state === "live");
    if (body?.name !== undefined) refuseTaken(live, body.name);
    return `Would change ${calledToken(token)}`;
  },
  "POST /api/admin/tokens/:id/revoke": async (client, { params }) => {
    const { token } = await find(client, params);
    if (token.state === "revoked") throw new CliFailure("CONFLICT", tokenTexts.revokedBefore);
    return `Would revoke ${calledToken(token)}`;
  },
  "DELETE /api/admin/tokens/:id": async (client, { params }) => {
    const { token } = await find(client, params);
    if (token.state === "live") throw new CliFailure("CONFLICT", tokenTexts.removeLive);
    return `Would remove ${calledToken(token)}`;
  },
};

const wished = <Body>(body: Body | undefined): Body => {
  if (body === undefined) throw new Error("a token is created of what it is to be");
  return body;
};

const tokensOf = async (client: Client): Promise<ApiToken[]> =>
  (await client.call("GET /api/admin/tokens")).tokens;

const find = async (
  client: Client,
  params: { id: string } | undefined,
): Promise<{ token: ApiToken; others: ApiToken[] }> => {
  const tokens = await tokensOf(client);
  const token = tokens.find(({ id }) => id === params?.id);
  if (token === undefined) throw new CliFailure("NOT_FOUND", tokenTexts.unknown);
  return { token, others: tokens.filter((one) => one !== token) };
};

const refuseTaken = (live: readonly ApiToken[], name: string): void => {
  if (live.some((token) => token.name.toLowerCase() === name.trim().toLowerCase()))
    throw new CliFailure("CONFLICT", tokenTexts.nameTaken);
};
