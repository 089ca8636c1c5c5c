import { requireAdmin, toUser } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { accountOpenedMail } from "#api/modules/mail/index.ts";
import { mailResetLink } from "#api/modules/passwords/index.ts";
import { countRecoveryCodes, findFactorWays, selectFactors } from "#api/modules/second-factors/index.ts";
import { countSessions, listSessions, sessionsOf } from "#api/modules/sessions/index.ts";
import { authTexts, userTexts } from "#contract/auth-texts.ts";
import type { User } from "#contract/users.ts";
import { unknownUser } from "./change-users.ts";
import type {
  ListPendingInput,
  ListUsersInput,
  PendingList,
  UserDetail,
  UserFactors,
  UserHandle,
  UserList,
} from "./contract.ts";
import {
  selectListedUser,
  selectPendingUsers,
  selectUserCounts,
  selectUsers,
  type TakenRegistration,
  takePendingRegistrations,
} from "./list-store.ts";
import { findUser, hasOtherAdmin, insertUser, type UserRow } from "./store.ts";

/**
 * Users whose name or address holds `search`, with that role and status where one is asked for, sorted as asked for:
 * left out, newest first; times begin with the latest, texts with A. For admins and the operator.
 */
export const listUsers = async (ctx: Context, input: ListUsersInput): Promise<UserList> => {
  requireAdmin(ctx);
  const { limit, offset, sort = "created" } = input;
  const { order = sort === "created" || sort === "lastSeen" ? "desc" : "asc" } = input;
  const filter = { ...input, search: input.search.trim(), sort, order };
  const { rows, ...counted } = await selectUsers(ctx.db, filter);
  return { users: rows, pagination: { ...counted, limit, offset } };
};

/** One user with their open sessions, by id or address. For admins and the operator. Throws `NOT_FOUND`. */
export const getUser = async (ctx: Context, input: UserHandle): Promise<UserDetail> => {
  requireAdmin(ctx);
  const row = await findUser(ctx.db, input.user);
  const found = row ? await selectListedUser(ctx.db, row.id) : null;
  if (!found) throw unknownUser();
  const { secondFactorAt, ...user } = found;
  const which = sessionsOf(ctx, user);
  const open = await listSessions(ctx.db, which);
  const isEnabledAdmin = user.role === "admin" && !user.disabled;
  return {
    ...user,
    secondFactor: secondFactorAt && {
      enabledAt: secondFactorAt.toISOString(),
      ways: await findFactorWays(ctx.db, user.id),
      recoveryCodesLeft: await countRecoveryCodes(ctx.db, user.id),
    },
    isLastAdmin: isEnabledAdmin && !(await hasOtherAdmin(ctx, ctx.db, user.id)),
    sessionCount: await countSessions(ctx.db, which),
    sessions: open.map(({ id, ip, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      ip,
      userAgent,
      device: describeDevice(userAgent),
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
};

/** The second factors of a user. For admins and the operator. Throws `NOT_FOUND`. */
export const listFactors = async (ctx: Context, input: UserHandle): Promise<UserFactors> => {
  requireAdmin(ctx);
  const user = await findUser(ctx.db, input.user);
  if (!user) throw unknownUser();
  return { factors: await selectFactors(ctx.db, user.id) };
};

/** How many there are; `pending` counts addresses whose link was not followed yet. */
export type UserCounts = { total: number; admins: number; pending: number };

/** Counts the accounts. For admins and the operator. */
export const countUsers = async (ctx: Context): Promise<UserCounts> => {
  requireAdmin(ctx);
  return selectUserCounts(ctx.db, ctx.clock.now());
};

/**
 * Addresses whose registrations were not verified, each by its newest, whose name or address holds `search`, newest
 * first. For admins and the operator.
 */
export const listPending = async (ctx: Context, input: ListPendingInput): Promise<PendingList> => {
  requireAdmin(ctx);
  const { limit, offset } = input;
  const search = input.search.trim();
  const { rows, total } = await selectPendingUsers(ctx.db, { limit, offset, search, now: ctx.clock.now() });
  return { users: rows, pagination: { total, totalIsEstimate: false, limit, offset } };
};

/**
 * Makes a user of a registration: of the very one that an id names, or of the only one of an address. All others of the address
 * end. The password of the registration goes, since no one has proved that whoever typed it owns the address, which is
 * emailed a link to choose one. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` when the
 * address got an account in the meantime, or several registrations: any of them may be a stranger's.
 */
export const verifyPending = async (ctx: Context, input: UserHandle): Promise<User> => {
  const now = ctx.clock.now();
  const act = {
    type: "admin_action",
    action: "Verified a registration",
    description: input.user,
    severity: "medium",
    described: (made: UserRow | null) => {
      if (made === null)
        return { status: "failure", description: `${input.user}: ${authTexts.emailTaken}` } as const;
      const { email, role } = made;
      return { description: email, after: { email, role } };
    },
  } as const;
  const user = await adminAction(ctx, act, async (tx) => {
    const taken = await takePendingRegistrations(tx, input.user, now);
    if (!taken) throw new AppError("NOT_FOUND", userTexts.registrationUnknown);
    if (taken.isOneOfSeveral) throw new AppError("CONFLICT", userTexts.severalRegistrations);
    const { name, email } = taken.row;
    const made = await insertUser(tx, { id: newId(), name, email, passwordHash: null, role: "user", now });
    if (made) await mailResetLink(ctx, tx, made, accountOpenedMail);
    return made;
  });
  // Thrown after the commit: registrations of an address that has its account are of no more use.
  if (!user) throw new AppError("CONFLICT", authTexts.emailTaken);
  ctx.mail.wake();
  ctx.happenings.tell({ name: "user.registered", userId: user.id });
  return toUser(user);
};

/**
 * Ends every registration of an address, named by it or by the id of one of them: their links no longer work. For
 * admins and the operator. Throws `NOT_FOUND` when none waits.
 */
export const removePending = async (ctx: Context, input: UserHandle): Promise<void> => {
  const act = {
    type: "admin_action",
    action: "Removed the registrations of an email address",
    description: input.user,
    severity: "medium",
    described: ({ row }: TakenRegistration) => ({ description: row.email }),
  } as const;
  await adminAction(ctx, act, async (tx) => {
    const removed = await takePendingRegistrations(tx, input.user, ctx.clock.now());
    if (!removed) throw new AppError("NOT_FOUND", userTexts.registrationUnknown);
    return removed;
  });
};
