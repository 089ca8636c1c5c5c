import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import { safePathOrDashboard } from "#contract/safe-path.ts";
import type { ProviderName } from "#contract/users.ts";
import { browserOf, challengeOf, type LinkTarget, sealState } from "./oauth-state.ts";

/** `linkTo` is given to link instead of to sign in; `browserSecret` is the oauth cookie's token, `null` when the browser has none. */
export type ProviderStart = {
  provider: ProviderName;
  linkTo?: LinkTarget;
  returnTo?: string | null | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in or link; the caller sets the oauth cookie from `browserSecret`. Nothing
 * is stored. Throws `PROVIDER_NOT_CONFIGURED` and `PROVIDER_UNAVAILABLE`.
 */
export const startProviderSignIn = async (
  ctx: Context,
  input: ProviderStart,
): Promise<{ url: string; browserSecret: string }> => {
  const provider = ctx.providers[input.provider];
  if (provider === null) throw new AppError("PROVIDER_NOT_CONFIGURED");
  const browserSecret = input.browserSecret ?? newToken(limits.sessionTokenBytes);
  const state = sealState(ctx, {
    provider: input.provider,
    browser: browserOf(browserSecret),
    linkTo: input.linkTo ?? null,
    returnTo: safePathOrDashboard(input.returnTo),
    expiresAtMs: ctx.clock.now().getTime() + limits.oauthStateMs,
  });
  return { url: await provider.authorizationUrl(challengeOf(browserSecret, state)), browserSecret };
};
