import { noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import { holdSession } from "#api/modules/sessions/index.ts";
import { providerLabels } from "#contract/users.ts";
import { enqueueLinkedNotice } from "./linked-notice.ts";
import type { LinkTarget } from "./oauth-state.ts";
import { refusal } from "./provider-failure.ts";
import { findIdentity, holdAccount, type Identity, linkIdentity } from "./provider-store.ts";

/**
 * Links an identity to a user who asked for it in a session that still goes on. Linking what is linked already changes
 * nothing. Throws a refusal when the session has ended or the user has another identity of this provider, and `CONFLICT`
 * when the identity is another user's.
 */
export const linkIdentityTo = async (
  ctx: Context,
  { userId, sessionHash }: LinkTarget,
  identity: Identity,
): Promise<void> => {
  const isLinked = await ctx.db.transaction(async (tx) => {
    const user = await holdAccount(tx, userId);
    if (user === null || user.disabledAt !== null) throw refusal("the account is gone or disabled");
    // It may have ended while the provider was asked: a new password, for one, must not be followed by a new way in.
    if (!(await holdSession(tx, { userId, tokenHash: sessionHash, now: ctx.clock.now() })))
      throw refusal("the session in which linking was asked for has ended");
    const present = await findIdentity(tx, userId, identity.provider);
    if (present?.issuer === identity.issuer && present.subject === identity.subject) return false;
    if (present !== null) throw refusal("the account is linked to another identity of this provider");
    const linked = await linkIdentity(tx, userId, identity, ctx.clock.now());
    await enqueueLinkedNotice(ctx, tx, linked, identity.provider);
    return true;
  });
  if (!isLinked) return;
  noteActivity(ctx, {
    type: "api_call",
    action: `Linked ${providerLabels[identity.provider]} to the own account`,
    severity: "medium",
  });
  ctx.events.publish({ type: "user-changed", userId });
  ctx.mail.wake();
};
