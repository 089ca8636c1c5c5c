import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { startProviderSignIn } from "#api/modules/auth/index.ts";
import { alreadyLinked } from "#contract/account-texts.ts";
import { providerIdFields, providerLabels } from "#contract/users.ts";
import { confirmOwner } from "./confirm-owner.ts";
import type { LinkProviderInput } from "./contract.ts";
import { providerNamed } from "./provider-named.ts";
import { findAccount } from "./store.ts";

/** Which provider, and the secret that the browser holds from an earlier start, if any. */
export type LinkRequest = LinkProviderInput & { browserSecret: string | null };

/**
 * Where to send the caller's browser, so that the provider's identity becomes a way into the account; the caller sets
 * the oauth cookie from `browserSecret`. Nothing is stored until the browser comes back, and then only while this
 * session goes on. It takes the password, see {@link confirmOwner}: a link outlives the session, and a stolen one must
 * not become a lasting way in. Throws `NOT_FOUND` for an unknown provider, `PROVIDER_NOT_CONFIGURED`, `CONFLICT` when it
 * is linked already, and `PROVIDER_UNAVAILABLE`.
 */
export const linkProvider = async (
  ctx: Context,
  input: LinkRequest,
): Promise<{ url: string; browserSecret: string }> => {
  const { user, sessionHash } = requireSession(ctx);
  const provider = providerNamed(input.provider);
  if (ctx.providers[provider] === null) throw new AppError("PROVIDER_NOT_CONFIGURED");
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (account[providerIdFields[provider]] !== null)
    throw new AppError("CONFLICT", alreadyLinked(providerLabels[provider]));
  await confirmOwner(ctx, account, input.password);
  const { browserSecret } = input;
  const linkTo = { userId: user.id, sessionHash };
  const returnTo = `/dashboard?linked=${provider}`;
  return startProviderSignIn(ctx, { provider, linkTo, returnTo, browserSecret });
};
