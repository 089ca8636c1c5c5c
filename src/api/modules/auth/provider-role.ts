import { type AttributedEntry, factOf } from "#api/core/activity.ts";
import { providerLabel, toUser } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { AppEvent } from "#api/core/events.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { revokeTokensOf } from "#api/modules/tokens/index.ts";
import { demotedHere, holdAdmins, mailRole, type UserRow, updateRole } from "#api/modules/users/index.ts";
import type { Role } from "#contract/users.ts";
import type { Newcomer } from "./provider-identity.ts";
import { findAccount, findOwnerId } from "./provider-store.ts";

/** The role that the groups of a newcomer give; `null` where the provider has no say in it. */
const roleByGroups = ({ rules, profile: { groups = [] } }: Newcomer): Role | null => {
  if (rules.groupRoles === null) return null;
  const given = rules.groupRoles.filter(({ group }) => groups.includes(group));
  return given.some(({ role }) => role === "admin") ? "admin" : "user";
};

/**
 * Makes a user an admin if their groups say so, in the transaction that signs them in; other sessions end, so that none outlives
 * the rights that it began with. Whom an admin made a user here stays one. The user's row must be held.
 */
export const grantRole = async (
  ctx: Context,
  tx: Database,
  { user, newcomer, later }: { user: UserRow; newcomer: Newcomer; later: (event: AppEvent) => void },
): Promise<UserRow> => {
  if (user.role === "admin" || user.roleSource === demotedHere || roleByGroups(newcomer) !== "admin")
    return user;
  const { provider } = newcomer;
  await updateRole(tx, user.id, { role: "admin", source: provider, now: ctx.clock.now() });
  await endSessionsOf(tx, user.id);
  const promoted: UserRow = { ...user, role: "admin", roleSource: provider };
  await mailRole(ctx, tx, promoted);
  const action = `Became an administrator by a group at ${providerLabel(ctx, provider)}`;
  await ctx.activity.record(
    tx,
    factOf(ctx, { type: "admin_action", action, severity: "high", by: toUser(promoted) }),
  );
  later({ type: "user-changed", userId: user.id });
  later({ type: "sessions-ended", userId: user.id });
  return promoted;
};

/**
 * Takes the role of an admin from a newcomer who has it by this provider and is in no group anymore that gives it; their sessions
 * and API tokens end. The last admin stays one, and the log says so. A transaction of its own, before the sign-in: all admins are
 * locked before any other user is.
 */
export const withdrawRole = async (ctx: Context, newcomer: Newcomer): Promise<void> => {
  if (roleByGroups(newcomer) !== "user") return;
  const { issuer, profile, provider } = newcomer;
  const userId = await findOwnerId(ctx.db, { issuer, subject: profile.subject });
  if (userId === null || !isAdminBy(provider, await findAccount(ctx.db, userId))) return;
  const isWithdrawn = await ctx.db.transaction(async (tx) => {
    const admins = await holdAdmins(ctx, tx, userId);
    const user = await findAccount(tx, userId);
    if (!isAdminBy(provider, user)) return false;
    const isLast = admins.every((id) => id === userId);
    if (!isLast) {
      const now = ctx.clock.now();
      await updateRole(tx, userId, { role: "user", source: null, now });
      await endSessionsOf(tx, userId);
      await revokeTokensOf(tx, userId, now);
      await mailRole(ctx, tx, { ...user, role: "user" });
    }
    await ctx.activity.record(tx, factOf(ctx, withdrawal(ctx, { user, provider, isLast })));
    return !isLast;
  });
  ctx.activity.wake();
  if (!isWithdrawn) return;
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId });
  ctx.events.publish({ type: "sessions-ended", userId });
};

const isAdminBy = (provider: string, user: UserRow | null): user is UserRow =>
  user?.role === "admin" && user.roleSource === provider;

type Withdrawal = { user: UserRow; provider: string; isLast: boolean };

const withdrawal = (ctx: Context, { user, provider, isLast }: Withdrawal): AttributedEntry => ({
  type: "admin_action",
  action: `Lost the group at ${providerLabel(ctx, provider)} that makes an administrator`,
  description: isLast ? "Stays one, as the only administrator" : "Is a user from now on",
  severity: isLast ? "critical" : "high",
  by: toUser(user),
});
