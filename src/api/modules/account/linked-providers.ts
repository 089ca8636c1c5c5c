import { noteActivity } from "#api/core/activity.ts";
import { accountLink, providerLabel, requireSession, requireUser, subjectAt } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { providerOfFactor } from "#api/core/password-policy.ts";
import { findProvidersOfFactors, removeLink, startProviderSignIn } from "#api/modules/auth/index.ts";
import { providerUnlinkedMail } from "#api/modules/mail/index.ts";
import { canSignIn, holdEnabledUser, selectUsableProviders, type UserRow } from "#api/modules/users/index.ts";
import { accountTexts, alreadyLinked } from "#contract/auth-texts.ts";
import { securityPage } from "#contract/page-paths.ts";
import { providerNames } from "#contract/users.ts";
import { confirmOwner } from "./confirm-owner.ts";
import type { ConfirmWithProviderInput, LinkProviderInput } from "./contract.ts";
import { findAccount } from "./store.ts";

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
  const { provider } = input;
  requireOffered(ctx, provider);
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (subjectAt(account, provider) !== null)
    throw new AppError("CONFLICT", alreadyLinked(providerLabel(ctx, provider)));
  await confirmOwner(ctx, account, input.password);
  const { browserSecret } = input;
  const linkTo = { userId: user.id, sessionHash };
  const returnTo = `${securityPage}?linked=${provider}`;
  return startProviderSignIn(ctx, { provider, linkTo, returnTo, browserSecret });
};

/**
 * Where to send the caller's browser to confirm with a linked provider that it's them; the caller sets the oauth cookie from
 * `browserSecret`. The session is confirmed once the browser comes back, if it still continues. Throws as {@link linkProvider}, and
 * `CONFLICT` for a provider that is not linked or can't confirm.
 */
export const confirmWithProvider = async (
  ctx: Context,
  { provider, returnTo, browserSecret }: ConfirmWithProviderInput & { browserSecret: string | null },
): Promise<{ url: string; browserSecret: string }> => {
  const { user, sessionHash } = requireSession(ctx);
  requireOffered(ctx, provider);
  if (!(await selectUsableProviders(ctx, ctx.db, user.id)).includes(provider))
    throw new AppError("CONFLICT", accountTexts.notLinked(providerLabel(ctx, provider)));
  const confirms = { userId: user.id, sessionHash };
  return startProviderSignIn(ctx, { provider, confirms, returnTo, browserSecret });
};

const requireOffered = ({ providers }: Context, provider: string): void => {
  if (!providers.has(provider))
    throw new AppError(isBuiltIn(provider) ? "PROVIDER_NOT_CONFIGURED" : "NOT_FOUND");
};

/**
 * Takes a provider's identity off the caller's account; an email tells. Throws `NOT_FOUND` when it is not linked or no
 * provider, `LAST_SIGN_IN_METHOD` when nothing else would open the account (of two that are unlinked at the same time, one stays), and
 * `LAST_SECOND_FACTOR` when the second factor that the user must have is the one there.
 */
export const unlinkProvider = async (
  ctx: Context,
  input: { provider: string },
): Promise<{ label: string }> => {
  const { id } = requireUser(ctx);
  const { provider } = input;
  const label = providerLabel(ctx, provider);
  await ctx.db.transaction((tx) => unlink(ctx, tx, { id, provider }));
  noteActivity(ctx, {
    type: "api_call",
    action: `Unlinked ${label} from their own account`,
    severity: "medium",
  });
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId: id });
  return { label };
};

type Unlinking = { id: string; provider: string };

const unlink = async (ctx: Context, tx: Database, { id, provider }: Unlinking): Promise<void> => {
  const account = await holdEnabledUser(tx, id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (subjectAt(account, provider) === null) throw new AppError("NOT_FOUND");
  const hadFactor = await hasProvidersFactor(ctx, tx, account);
  await removeLink(tx, id, provider, ctx.clock.now());
  if (hadFactor && !(await hasProvidersFactor(ctx, tx, account))) throw new AppError("LAST_SECOND_FACTOR");
  if (!(await canSignIn(ctx, tx, id))) throw new AppError("LAST_SIGN_IN_METHOD");
  const notice = {
    name: account.name,
    provider: providerLabel(ctx, provider),
    accountLink: accountLink(ctx),
    ...circumstancesOf(ctx),
  };
  await ctx.mail.enqueue(tx, { to: account.email, ...providerUnlinkedMail(notice) });
};

/** Whether the second factor that a user must have is one at a provider. */
const hasProvidersFactor = async (ctx: Context, tx: Database, account: UserRow): Promise<boolean> => {
  const givenAt = await findProvidersOfFactors(tx, account.id);
  return providerOfFactor({ ...account, givenAt }, ctx) !== undefined;
};

const isBuiltIn = (provider: string): boolean => providerNames.some((name) => name === provider);
