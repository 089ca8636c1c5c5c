import { noteActivity } from "#api/core/activity.ts";
import { accountLink, requireSession, requireUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { startProviderSignIn } from "#api/modules/auth/index.ts";
import { providerUnlinkedMail } from "#api/modules/mail/index.ts";
import { holdEnabledUser, type UserRow } from "#api/modules/users/index.ts";
import { alreadyLinked } from "#contract/auth-texts.ts";
import { type ProviderName, providerIdFields, providerLabels, providerNames } from "#contract/users.ts";
import { confirmOwner } from "./confirm-owner.ts";
import type { LinkProviderInput } from "./contract.ts";
import { findAccount, removeIdentity } from "./store.ts";

/** Which provider, and the secret that the browser holds from an earlier start, if any. */
type LinkRequest = LinkProviderInput & { browserSecret: string | null };

/**
 * Where to send the caller's browser, so that the provider's identity becomes a way into the account; the caller sets
 * the oauth cookie from `browserSecret`. Nothing is stored until the browser comes back, and then only while this
 * session continues. It takes the password, see {@link confirmOwner}: a link outlives the session, and a stolen one must
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

/**
 * Takes a provider's identity off the caller's account; an email tells. Throws `NOT_FOUND` when it is not linked or no
 * provider, and `LAST_SIGN_IN_METHOD` when nothing else would open the account: of two that are unlinked at the same time, one
 * stays.
 */
export const unlinkProvider = async (
  ctx: Context,
  input: { provider: string },
): Promise<{ provider: ProviderName }> => {
  const { id } = requireUser(ctx);
  const provider = providerNamed(input.provider);
  await ctx.db.transaction((tx) => unlink(ctx, tx, { id, provider }));
  noteActivity(ctx, {
    type: "api_call",
    action: `Unlinked ${providerLabels[provider]} from their own account`,
    severity: "medium",
  });
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId: id });
  return { provider };
};

type Unlinking = { id: string; provider: ProviderName };

const unlink = async (ctx: Context, tx: Database, { id, provider }: Unlinking): Promise<void> => {
  const account = await holdEnabledUser(tx, id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (account[providerIdFields[provider]] === null) throw new AppError("NOT_FOUND");
  if (!hasOtherWayIn(ctx, account, provider)) throw new AppError("LAST_SIGN_IN_METHOD");
  await removeIdentity(tx, id, provider, ctx.clock.now());
  const notice = {
    name: account.name,
    provider: providerLabels[provider],
    accountLink: accountLink(ctx),
    ...circumstancesOf(ctx),
  };
  await ctx.mail.enqueue(tx, { to: account.email, ...providerUnlinkedMail(notice) });
};

// A provider that this server does not offer lets no one in.
const hasOtherWayIn = ({ providers }: Context, account: UserRow, left: ProviderName): boolean =>
  account.passwordHash !== null ||
  providerNames.some(
    (name) => name !== left && providers[name] !== null && account[providerIdFields[name]] !== null,
  );

/** The provider with this name in a path. Throws `NOT_FOUND` for any other. */
const providerNamed = (name: string): ProviderName => {
  const provider = providerNames.find((known) => known === name);
  if (provider === undefined) throw new AppError("NOT_FOUND");
  return provider;
};
