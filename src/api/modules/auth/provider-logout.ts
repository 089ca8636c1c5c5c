import { noteActivity } from "#api/core/activity.ts";
import { providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context, ProviderLogout } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import { endSessionsOfProvider } from "#api/modules/sessions/index.ts";
import { tooManyTokens } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { endedKey, rememberEnd, takeState } from "./provider-store.ts";

type LogoutRequest = { provider: string; token: string };

/**
 * Ends the sessions that a provider says are over: the one that its own session began, or all that a user began there. Each token
 * counts once. Source: OpenID Connect Back-Channel Logout 1.0. Throws `NOT_FOUND` for a provider that sends none, `TOKEN_INVALID`
 * for what is no such token of it, `RATE_LIMITED` after too many of those, and `PROVIDER_UNAVAILABLE` while its keys can't be read.
 */
export const endProviderSessions = async (ctx: Context, input: LogoutRequest): Promise<void> => {
  const provider = ctx.providers.get(input.provider);
  const { readLogout } = provider ?? {};
  if (provider === undefined || readLogout === undefined) throw new AppError("NOT_FOUND");
  const logout = await readLogout(input.token).catch(async (error) => {
    // Only what is no token of the provider: its own are read however many strangers send from the same place.
    if (error instanceof AppError && error.kind === "TOKEN_INVALID")
      await ctx.attempts.spend(placeBudgets(ctx.ip, badTokens(input.provider)));
    throw error;
  });
  const userIds = await endSessions(ctx, { provider: input.provider, issuer: provider.issuer, ...logout });
  for (const userId of userIds) ctx.events.publish({ type: "sessions-ended", userId });
  noteActivity(ctx, {
    type: "api_call",
    action: `Signed out by ${providerLabel(ctx, input.provider)}`,
    description:
      userIds.length === 0 ? "No session was open" : `Users whose sessions ended: ${userIds.length}`,
  });
};

const badTokens = (provider: string): AttemptBudget => ({
  key: `provider-logout:${provider} `,
  most: limits.badLogoutTokens,
  windowMs: limits.badLogoutTokensMs,
  message: tooManyTokens,
});

type Ending = ProviderLogout & { provider: string; issuer: string };

const endSessions = (ctx: Context, { id, expiresAt, ...ending }: Ending): Promise<string[]> =>
  ctx.db.transaction(async (tx) => {
    const once = hashToken(["logout", ending.issuer, id].join(" "));
    if (!(await takeState(tx, once, expiresAt))) throw new AppError("TOKEN_INVALID");
    // A sign-in between its two steps has no session yet.
    await rememberEnd(tx, endedKey(ending), new Date(ctx.clock.now().getTime() + limits.stepMs));
    return endSessionsOfProvider(tx, ending);
  });
