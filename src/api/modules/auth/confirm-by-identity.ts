import type { Context } from "#api/core/context.ts";
import { type IssuedSession, renewSession } from "#api/modules/sessions/index.ts";
import { limits } from "#contract/limits.ts";
import { type Asker, refusal } from "./oauth-state.ts";
import { identityOf, type Newcomer } from "./provider-identity.ts";
import { findIdentity, holdAccount } from "./provider-store.ts";

/**
 * Confirms a session by its user's identity at a provider: it goes on under another token, proven since the user signed in there.
 * Throws a refusal for another identity, for a session that has ended, and where the provider doesn't say that they signed in within the
 * last minutes.
 */
export const confirmByIdentity = async (
  ctx: Context,
  { userId }: Asker,
  newcomer: Newcomer,
): Promise<IssuedSession> => {
  const { rules, profile, provider } = newcomer;
  const provenAt = profile.authenticatedAt ?? null;
  if (provenAt === null) throw refusal("the provider doesn't say when the user signed in (auth_time)");
  if (ctx.clock.now().getTime() - provenAt.getTime() >= limits.freshSessionMs)
    throw refusal("the user signed in at the provider too long ago");
  const { issuer, subject } = identityOf(newcomer);
  const hasFactor = rules.isFactorTrusted && profile.hasFactor === true;
  // The factor is the provider's, so from now on the session is one of it, and ends with it.
  const via = hasFactor ? { provider, sid: profile.sessionId ?? null } : undefined;
  const issued = await ctx.db.transaction(async (tx) => {
    const user = await holdAccount(tx, userId);
    const linked = await findIdentity(tx, userId, provider);
    if (user === null || linked?.issuer !== issuer || linked.subject !== subject)
      throw refusal("the identity is not the one that is linked to the account");
    return renewSession(ctx, tx, { hasFactor, provenAt, via });
  });
  if (issued === null) throw refusal("the session has ended");
  ctx.events.publish({ type: "sessions-ended", userId });
  return issued;
};
