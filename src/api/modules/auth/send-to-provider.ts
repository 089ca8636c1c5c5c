import type { Context } from "#api/core/context.ts";
import type { ProviderName } from "#contract/users.ts";
import { logProviderFailure } from "./provider-failure.ts";
import { startProviderSignIn } from "./start-provider-sign-in.ts";

/** A browser whose reader pressed a provider's button on the sign-in page. */
export type ProviderWish = {
  provider: ProviderName;
  returnTo: string | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in, and the oauth cookie's token; `null` leaves the cookie alone. Never
 * throws: when the provider is not configured or away that is logged, and the way leads back to the sign-in page.
 */
export const sendToProvider = async (
  ctx: Context,
  wish: ProviderWish,
): Promise<{ location: string; browserSecret: string | null }> => {
  try {
    const { url, browserSecret } = await startProviderSignIn(ctx, wish);
    return { location: url, browserSecret };
  } catch (error) {
    logProviderFailure(ctx, wish.provider, error);
    return { location: "/login?error=auth_failed", browserSecret: null };
  }
};
