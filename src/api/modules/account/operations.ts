import { requireFactor, requireSession, requireUser, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import { checkFactor, onField, takeFactor } from "#api/modules/second-factors/index.ts";
import {
  endSessionById,
  endSessionsOf,
  findSession,
  listSessions,
  renewSession,
} from "#api/modules/sessions/index.ts";
import { holdEnabledUser, type UserRow } from "#api/modules/users/index.ts";
import { accountTexts, unlinked } from "#contract/auth-texts.ts";
import { type ProviderName, providerIdFields, providerLabels, type User } from "#contract/users.ts";
import { changePassword } from "./change-password.ts";
import { confirmPassword, confirmPresence, proofWanted } from "./confirm-owner.ts";
import {
  type Account,
  accountContract,
  type ChangeNameInput,
  type ConfirmInput,
  type OwnSession,
} from "./contract.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { linkProvider, unlinkProvider } from "./linked-providers.ts";
import { changeAccount, findAccount, hasOtherAdmin } from "./store.ts";

/** The caller's own account. */
export const readAccount = async (ctx: Context): Promise<Account> => {
  const { id } = requireUser(ctx);
  const account = await findAccount(ctx.db, id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  return {
    user: toUser(account),
    hasPassword: account.passwordHash !== null,
    providers: {
      google: connectionOf(ctx, account, "google"),
      github: connectionOf(ctx, account, "github"),
    },
    isLastAdmin: account.role === "admin" && !(await hasOtherAdmin(ctx.db, id)),
  };
};

const connectionOf = ({ providers }: Context, account: UserRow, name: ProviderName) => ({
  configured: providers[name] !== null,
  linked: account[providerIdFields[name]] !== null,
});

/** Gives the caller another name, without the space around it. */
const changeName = async (ctx: Context, input: ChangeNameInput): Promise<User> => {
  const { id } = requireUser(ctx);
  const change = { name: input.name.trim(), updatedAt: ctx.clock.now() };
  const account = await changeAccount(ctx.db, id, change);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  ctx.events.publish({ type: "user-changed", userId: id });
  return toUser(account);
};

/**
 * Confirms by the password, or by a code of the second factor, that the owner of the caller's session holds it. The session
 * continues under another token, which
 * this resolves to, and its sign-in counts as recent. Without a password nothing changes for a session that is young enough
 * (`null`), and others get `REAUTHENTICATION_REQUIRED`, as do those whose account has none. Throws a 422 for a wrong password
 * (`RATE_LIMITED` after ten), and `CONFLICT` when it was changed meanwhile.
 */
const confirm = async (ctx: Context, { password, code }: ConfirmInput): Promise<string | null> => {
  if (code !== undefined) return confirmByCode(ctx, code);
  const { user, sessionHash } = requireSession(ctx);
  if (password === undefined) {
    requireFactor(ctx);
    await confirmPresence(ctx, undefined);
    return null;
  }
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { passwordHash } = account;
  if (passwordHash === null) throw proofWanted(ctx, account);
  await confirmPassword(ctx, { userId: user.id, passwordHash, password, field: "password" });
  const token = await ctx.db.transaction(async (tx) => {
    const held = await holdEnabledUser(tx, user.id);
    if (held?.passwordHash !== passwordHash) throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
    const renewed = await renewSession(ctx, tx, { sessionHash, hasFactor: false });
    // It may have been ended while the hash was computed.
    if (renewed === null) throw new AppError("NOT_SIGNED_IN");
    return renewed;
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return token;
};

const confirmByCode = async (ctx: Context, code: string): Promise<string> => {
  const { user, sessionHash } = requireSession(ctx);
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (account.secondFactorAt === null) throw proofWanted(ctx, account);
  const given = { code };
  const renew = () =>
    ctx.db.transaction(async (tx) => {
      const held = await holdEnabledUser(tx, user.id);
      if (!held) throw new AppError("NOT_SIGNED_IN");
      await takeFactor(ctx, tx, { account: held, given });
      const renewed = await renewSession(ctx, tx, { sessionHash, hasFactor: true });
      if (renewed === null) throw new AppError("NOT_SIGNED_IN");
      return renewed;
    });
  const token = await onField("code", checkFactor(ctx, { account, given }, renew));
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return token;
};

/** The caller's sessions: first the one that asks, then by their last use. */
export const listOwnSessions = async (ctx: Context): Promise<OwnSession[]> => {
  const { user, sessionHash } = requireSession(ctx);
  const rows = await listSessions(ctx.db, user.id, ctx.clock.now());
  return rows
    .map((row) => ({
      id: row.id,
      isCurrent: row.tokenHash === sessionHash,
      ip: row.ip,
      userAgent: row.userAgent,
      device: describeDevice(row.userAgent),
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
};

/** Ends all of the caller's sessions but the one that asks, and tells how many those were. */
export const endOtherSessions = async (ctx: Context): Promise<{ ended: number }> => {
  const { user, sessionHash } = requireSession(ctx);
  const ended = await ctx.db.transaction(async (tx) => {
    const count = await endSessionsOf(tx, user.id, { except: sessionHash });
    // Two browsers that end each other at the same time would both be signed out: the later one is refused.
    if (!(await findSession(tx, sessionHash))) throw new AppError("NOT_SIGNED_IN");
    return count;
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { ended };
};

/** Ends one of the caller's sessions. Throws `NOT_FOUND` for an id that is no one's or someone else's. */
export const endOwnSession = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ isCurrent: boolean }> => {
  const { user, sessionHash } = requireSession(ctx);
  const endedHash = await endSessionById(ctx.db, user.id, id);
  if (endedHash === null) throw new AppError("NOT_FOUND");
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { isCurrent: endedHash === sessionHash };
};

/** What does the operations about the own account. */
export const accountOperations = implement("account", accountContract, {
  get: readAccount,
  rename: async (ctx, input) => ({ message: accountTexts.renamed, user: await changeName(ctx, input) }),
  changePassword: async (ctx, input, { session, device }) => {
    session.set(await changePassword(ctx, { ...input, deviceToken: device.token }));
    return { message: accountTexts.passwordChanged };
  },
  confirm: async (ctx, input, { session }) => {
    const token = await confirm(ctx, input);
    if (token !== null) session.set(token);
    return { message: accountTexts.confirmed };
  },
  sessions: async (ctx) => ({ sessions: await listOwnSessions(ctx) }),
  endSession: async (ctx, input, { session }) => {
    const { isCurrent } = await endOwnSession(ctx, input);
    if (isCurrent) session.clear();
    return { message: accountTexts.sessionEnded };
  },
  endOtherSessions: async (ctx) => ({
    message: accountTexts.othersEnded,
    data: await endOtherSessions(ctx),
  }),
  link: async (ctx, input, { oauth }) => {
    const { url, browserSecret } = await linkProvider(ctx, { ...input, browserSecret: oauth.token });
    oauth.set(browserSecret);
    return { url };
  },
  unlink: async (ctx, input) => {
    const { provider } = await unlinkProvider(ctx, input);
    return { message: unlinked(providerLabels[provider]) };
  },
  remove: async (ctx, input, { session, device }) => {
    await deleteAccount(ctx, input);
    session.clear();
    device.clear();
    return { message: accountTexts.deleted };
  },
  export: exportAccount,
});
