import type { Context } from "#api/core/context.ts";
import { enqueueLinkedNotice } from "./linked-notice.ts";
import { refusal } from "./provider-failure.ts";
import { holdAccount, type Identity, linkIdentity, subjectOf } from "./provider-store.ts";

/**
 * Links an identity to a user who asked for it while signed in. Linking what is linked already changes nothing. Throws
 * a refusal when the user has another one of this provider, and `CONFLICT` when the identity is another user's.
 */
export const linkIdentityTo = async (ctx: Context, userId: string, identity: Identity): Promise<void> => {
  const isLinked = await ctx.db.transaction(async (tx) => {
    const user = await holdAccount(tx, userId);
    if (user === null || user.disabledAt !== null) throw refusal("the account is gone or disabled");
    const present = subjectOf(user, identity.provider);
    if (present === identity.subject) return false;
    if (present !== null) throw refusal("the account is linked to another identity of this provider");
    const linked = await linkIdentity(tx, userId, identity, ctx.clock.now());
    await enqueueLinkedNotice(ctx, tx, linked, identity.provider);
    return true;
  });
  if (!isLinked) return;
  ctx.events.publish({ type: "user-changed", userId });
  ctx.mail.wake();
};
