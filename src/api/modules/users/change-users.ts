import type { ActivityEntry } from "#api/core/activity.ts";
import { accountLink, requireAdmin, requireOperator, requirePerson, toUser } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import { type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { checkNewPassword, requiredFromReset } from "#api/core/password-policy.ts";
import {
  authenticatorRemovedMail,
  roleChangedMail,
  secondFactorRemovedMail,
} from "#api/modules/mail/index.ts";
import {
  forgetSignInFailures,
  mailResetLink,
  removeResetTokens,
  replacePassword,
} from "#api/modules/passwords/index.ts";
import { forgetWrongCodes, removeFactors } from "#api/modules/second-factors/index.ts";
import { endSessionsOf } from "#api/modules/sessions/index.ts";
import { revokeTokensOf } from "#api/modules/tokens/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { authTexts, userTexts } from "#contract/auth-texts.ts";
import type { User } from "#contract/users.ts";
import type {
  AccountState,
  CreateUserInput,
  ResetFactorInput,
  SetPasswordInput,
  SetRoleInput,
  UserHandle,
} from "./contract.ts";
import {
  demotedHere,
  findUser,
  holdAdmins,
  insertUser,
  keepRole,
  removePendingRegistrations,
  removeUser,
  type UserRow,
  updateDisabledAt,
  updateFactorRequiredFrom,
  updateRole,
} from "./store.ts";

/** The user, and whether the role was another before. */
type RoleChange = { user: AccountState; isChanged: boolean };

/**
 * Makes a user an admin, or an admin a user; their sessions and API tokens end, so that none outlives the rights that it
 * began with. An email tells them. A role that they have already changes nothing. For admins and the operator. Throws `NOT_FOUND`, and `LAST_ADMIN`
 * for the only enabled admin who can sign in.
 */
export const setRole = async (ctx: Context, { user: handle, role }: SetRoleInput): Promise<RoleChange> => {
  const changed = await changeAccount<RoleChange>(ctx, {
    handle,
    action: "Changed the role of a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      if (user.role === role) {
        const roleSource = role === "admin" ? user.roleSource : null;
        // What a provider gave, it could take away again.
        if (roleSource !== null) await keepRole(tx, user.id, ctx.clock.now());
        return {
          answer: { user: toAccountState(user), isChanged: false },
          recorded: roleSource === null ? null : { before: { roleSource }, after: { roleSource: null } },
        };
      }
      if (role !== "admin") requireAnotherAdmin();
      await runBefore(ctx, tx, "user.update", { ...about(user), change: { role } });
      await updateRole(tx, user.id, {
        role,
        source: role === "admin" ? null : demotedHere,
        now: ctx.clock.now(),
      });
      await endSessionsOf(tx, user.id);
      await revokeTokensOf(tx, user.id, ctx.clock.now());
      await mailRole(ctx, tx, { ...user, role });
      return {
        answer: { user: toAccountState({ ...user, role }), isChanged: true },
        recorded: {
          description: `${user.email}: ${user.role} to ${role}`,
          before: { role: user.role },
          after: { role },
        },
      };
    },
  });
  ctx.mail.wake();
  return changed;
};

/** Emails a user the role that they have now. Wake the outbox after the commit. */
export const mailRole = (ctx: Context, tx: Database, { name, email, role }: UserRow): Promise<void> => {
  const notice = { name, role, accountLink: accountLink(ctx), at: ctx.clock.now() };
  return ctx.mail.enqueue(tx, { to: email, ...roleChangedMail(notice) });
};

/**
 * Shuts a user out: all sessions, API tokens and emailed links to a new password end, and no one signs in to the account until it is
 * enabled. One that is disabled already stays so. For admins and the operator. Throws `NOT_FOUND`, and `LAST_ADMIN` for
 * the only enabled admin who can sign in.
 */
export const disableUser = (ctx: Context, input: UserHandle): Promise<AccountState> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Disabled a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      requireAnotherAdmin();
      const now = ctx.clock.now();
      // No one signs in to a disabled account and no link is emailed for one: there is nothing left to end.
      if (user.disabledAt !== null) return { answer: toAccountState(user), recorded: null };
      await runBefore(ctx, tx, "user.update", { ...about(user), change: { disabled: true } });
      await updateDisabledAt(tx, user.id, now, now);
      await endSessionsOf(tx, user.id);
      await removeResetTokens(tx, user.id);
      await revokeTokensOf(tx, user.id, now);
      return {
        answer: toAccountState({ ...user, disabledAt: now }),
        recorded: { before: { disabled: false }, after: { disabled: true } },
      };
    },
  });

/** Lets a disabled user sign in again. For admins and the operator. Throws `NOT_FOUND`. */
export const enableUser = (ctx: Context, input: UserHandle): Promise<AccountState> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Enabled a user",
    severity: "high",
    events: ["user-changed"],
    change: async (tx, { user }) => {
      if (user.disabledAt === null) return { answer: toAccountState(user), recorded: null };
      await runBefore(ctx, tx, "user.update", { ...about(user), change: { disabled: false } });
      await updateDisabledAt(tx, user.id, null, ctx.clock.now());
      return {
        answer: toAccountState({ ...user, disabledAt: null }),
        recorded: { before: { disabled: true }, after: { disabled: false } },
      };
    },
  });

/** Signs a user out everywhere; tells how many sessions ended. For admins and the operator. Throws `NOT_FOUND`. */
export const endSessions = (ctx: Context, input: UserHandle): Promise<{ ended: number }> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Ended all sessions of a user",
    severity: "medium",
    events: ["sessions-ended"],
    change: async (tx, { user }) => {
      const ended = await endSessionsOf(tx, user.id);
      return {
        answer: { ended },
        recorded: ended === 0 ? null : { before: { open: ended }, after: { open: 0 } },
      };
    },
  });

/**
 * Removes the second factor of a user who lost it, or all of it but the passkeys; their sessions end, an email tells, and where one is
 * required the time to set up another begins. For admins, who give their own, and the operator. Throws `NOT_FOUND`, and `CONFLICT` for a
 * user without one.
 */
export const resetSecondFactor = async (ctx: Context, input: ResetFactorInput): Promise<AccountState> => {
  requirePerson(ctx);
  const user = await changeAccount(ctx, {
    handle: input.user,
    action: "Reset the second factor of a user",
    severity: "critical",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user }) => {
      const keepsPasskeys = input.keepPasskeys === "true";
      const { isRemoved, isProtected } = await removeFactors(tx, user, { keepsPasskeys });
      if (!isRemoved) throw new AppError("CONFLICT", userTexts.noSecondFactor);
      const from = requiredFromReset(user.role, ctx.settings.current.accounts, ctx.clock.now());
      await updateFactorRequiredFrom(tx, user.id, from);
      await endSessionsOf(tx, user.id);
      // Not from where: that is the administrator's address.
      const notice = { name: user.name, accountLink: accountLink(ctx), at: ctx.clock.now() };
      const mail = isProtected ? authenticatorRemovedMail : secondFactorRemovedMail;
      await ctx.mail.enqueue(tx, { to: user.email, ...mail(notice) });
      return {
        answer: toAccountState(user),
        recorded: {
          before: { secondFactor: true },
          after: { secondFactor: isProtected ? "passkeys" : false },
        },
      };
    },
  });
  await forgetWrongCodes(ctx, user.id);
  ctx.mail.wake();
  return user;
};

/**
 * Emails a user a link to choose a new password, to the stored address; older links end, and nothing else changes until
 * it is followed. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for a disabled account.
 */
export const sendReset = async (ctx: Context, input: UserHandle): Promise<{ email: string }> => {
  const sent = await changeAccount(ctx, {
    handle: input.user,
    action: "Emailed a user a link to a new password",
    severity: "medium",
    events: [],
    change: async (tx, { user }) => {
      if (user.disabledAt !== null) throw new AppError("CONFLICT", userTexts.resetOfDisabled);
      await mailResetLink(ctx, tx, user);
      return { answer: { email: user.email }, recorded: {} };
    },
  });
  ctx.mail.wake();
  return sent;
};

/**
 * Removes a user permanently, with their sessions, known browsers, links and the count of wrong passwords; gives what they were. For admins and the
 * operator. Throws `NOT_FOUND`, and `LAST_ADMIN` for the only enabled admin who can sign in.
 */
export const deleteUser = (ctx: Context, input: UserHandle): Promise<User> =>
  changeAccount(ctx, {
    handle: input.user,
    action: "Deleted a user",
    severity: "high",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user, requireAnotherAdmin }) => {
      requireAnotherAdmin();
      await runBefore(ctx, tx, "user.delete", about(user));
      await removeUser(tx, user.id, ctx.clock.now());
      await forgetSignInFailures(tx, user.emailKey);
      const { email, role } = user;
      return { answer: toUser(user), recorded: { before: { email, role } } };
    },
  });

/** An account whose row is locked, as are those of all enabled admins. */
type HeldAccount = {
  user: UserRow;
  /** Throws `LAST_ADMIN` when without this account no one could look after the others. */
  requireAnotherAdmin(): void;
};

/** What came of a change, and what the log says of it beside whose account it was; `null`: nothing was changed. */
type Changed<T> = {
  answer: T;
  recorded: Pick<ActivityEntry, "description" | "before" | "after"> | null;
};

type AccountChange<T> = {
  /** Id or address of the account. */
  handle: string;
  /** What is done, as the log says it. */
  action: string;
  severity: ActivitySeverity;
  /** What everyone is told once the change is committed. */
  events: ("user-changed" | "sessions-ended")[];
  change: (tx: Database, account: HeldAccount) => Promise<Changed<T>>;
};

/**
 * Changes one account in a transaction that holds it and records the change, then tells every part of every replica, so
 * that the change counts on the very next request. For admins and the operator; an admin's account is changed by no token
 * (`SESSION_REQUIRED`). Throws `NOT_FOUND` for an account that does not exist.
 */
const changeAccount = async <T>(
  ctx: Context,
  { handle, action, severity, events, change }: AccountChange<T>,
): Promise<T> => {
  const { answer } = await adminAction<Changed<T> & { user: UserRow }>(
    ctx,
    {
      type: "admin_action",
      action,
      severity,
      description: handle,
      described: ({ user, recorded }) => recorded && { description: user.email, ...recorded },
      events: ({ user }) => events.map((type) => ({ type, userId: user.id })),
    },
    async (tx) => {
      const account = await holdAccount(ctx, tx, handle);
      if (account.user.role === "admin") requirePerson(ctx);
      return { user: account.user, ...(await change(tx, account)) };
    },
  );
  return answer;
};

const holdAccount = async (ctx: Context, tx: Database, handle: string): Promise<HeldAccount> => {
  const found = await findUser(tx, handle);
  if (!found) throw unknownUser();
  const admins = await holdAdmins(ctx, tx, found.id);
  // Read again: it may have been changed or removed while others held it.
  const user = await findUser(tx, found.id);
  if (!user) throw unknownUser();
  return {
    user,
    requireAnotherAdmin: () => {
      const isEnabledAdmin = user.role === "admin" && user.disabledAt === null;
      if (isEnabledAdmin && admins.every((id) => id === user.id)) throw new AppError("LAST_ADMIN");
    },
  };
};

/** What features are told of a user. */
const about = ({ id, email }: UserRow) => ({ id, email });

/** The failure of a call about someone who is not there. */
export const unknownUser = (): AppError => new AppError("NOT_FOUND", userTexts.unknown);

/** A row as the answers to changes show it. */
const toAccountState = (row: UserRow): AccountState => ({
  ...toUser(row),
  disabled: row.disabledAt !== null,
});

/**
 * Gives a user another password; their sessions and reset links end, and an email tells. For the operator alone: admins send a reset
 * link. Throws `NOT_FOUND`, and a 422 for a weak password.
 */
export const setPassword = async (ctx: Context, input: SetPasswordInput): Promise<AccountState> => {
  requireOperator(ctx);
  const found = await findUser(ctx.db, input.user);
  if (!found) throw unknownUser();
  await checkNewPassword(ctx, input.password, found);
  const passwordHash = await ctx.hasher.hash(input.password);
  const user = await changeAccount<AccountState>(ctx, {
    handle: found.id,
    action: "Set the password of a user",
    severity: "critical",
    events: ["user-changed", "sessions-ended"],
    change: async (tx, { user }) => {
      await replacePassword(ctx, tx, { user, passwordHash });
      return { answer: toAccountState(user), recorded: {} };
    },
  });
  ctx.mail.wake();
  return user;
};

/**
 * Adds a user who counts as verified and may sign in at once; unverified registrations of the address end. For admins
 * and the operator; no API token adds an admin (`SESSION_REQUIRED`). Throws a 422 for a weak password and `CONFLICT` when the address is taken.
 */
export const createUser = async (ctx: Context, input: CreateUserInput): Promise<User> => {
  requireAdmin(ctx);
  if (input.role === "admin") requirePerson(ctx);
  const name = input.name.trim();
  const email = input.email.trim();
  await checkNewPassword(ctx, input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  const { role } = input;
  const act = {
    type: "admin_action",
    action: "Added a user",
    description: `${email} as ${role}`,
    severity: role === "admin" ? "high" : "medium",
    after: { email, role },
  } as const;
  const row = await adminAction(ctx, act, async (tx) => {
    await removePendingRegistrations(tx, emailKey(email));
    const person = { id: newId(), name, email, passwordHash, role, now: ctx.clock.now() };
    const inserted = await insertUser(tx, person);
    if (!inserted) throw emailTaken();
    return inserted;
  });
  ctx.happenings.tell({ name: "user.registered", userId: row.id });
  return toUser(row);
};

const emailTaken = () =>
  new AppError("CONFLICT", authTexts.emailTaken, {
    errors: [{ path: "email", message: authTexts.emailTaken }],
  });
