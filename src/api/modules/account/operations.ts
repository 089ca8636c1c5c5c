import {
  linkedProviders,
  providerLabel,
  requireFactor,
  requireSession,
  requireUser,
  subjectAt,
  toUser,
} from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context, SignedIn } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import { findOpenChange } from "#api/modules/email-changes/index.ts";
import { type BegunCeremony, beginRequest, listPasskeys } from "#api/modules/passkeys/index.ts";
import { checkFactor, type GivenFactor, onField } from "#api/modules/second-factors/index.ts";
import {
  endSessionById,
  endSessionsOf,
  findSession,
  forgetConfirmation,
  type IssuedSession,
  lastEnd,
  listSessions,
  renewSession,
  sessionsOf,
  sessionTimes,
} from "#api/modules/sessions/index.ts";
import { hasOtherAdmin, holdEnabledUser, type UserRow } from "#api/modules/users/index.ts";
import { accountTexts, unlinked } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import { changePassword } from "./change-password.ts";
import { confirmPassword, confirmPresence, proofWanted, watchConfirmation } from "./confirm-owner.ts";
import {
  type Account,
  accountContract,
  type ChangeNameInput,
  type ConfirmInput,
  type CurrentSession,
  type OwnSession,
} from "./contract.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { confirmWithProvider, linkProvider, unlinkProvider } from "./linked-providers.ts";
import { changeAccount, findAccount } from "./store.ts";

/** The caller's own account. */
export const readAccount = async (ctx: Context): Promise<Account> => {
  const { id } = requireUser(ctx);
  const account = await findAccount(ctx.db, id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const others = [...ctx.providers.keys(), ...linkedProviders(account)];
  return {
    user: toUser(account),
    hasPassword: account.passwordHash !== null,
    providers: {
      google: connectionOf(ctx, account, "google"),
      github: connectionOf(ctx, account, "github"),
      ...Object.fromEntries(others.map((name) => [name, connectionOf(ctx, account, name)])),
    },
    isLastAdmin: account.role === "admin" && !(await hasOtherAdmin(ctx, ctx.db, id)),
    emailChange: await readChange(ctx, id),
  };
};

const readChange = async (ctx: Context, id: string): Promise<Account["emailChange"]> => {
  const change = await findOpenChange(ctx.db, id, ctx.clock.now());
  return change && { newEmail: change.newEmail, expiresAt: change.expiresAt.toISOString() };
};

const connectionOf = (ctx: Context, account: UserRow, provider: string) => ({
  label: providerLabel(ctx, provider),
  configured: ctx.providers.has(provider),
  linked: subjectAt(account, provider) !== null,
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
 * Confirms by the password, or by the second factor, that the owner of the caller's session holds it. The session
 * continues under another token, and its sign-in counts as recent. Without a password nothing changes for a session that is young enough
 * (`null`), and others get `REAUTHENTICATION_REQUIRED`, as do those whose account has none. Throws a 422 for a wrong password
 * (`RATE_LIMITED` after ten), and `CONFLICT` when it was changed meanwhile.
 */
const confirm = async (ctx: Context, input: ConfirmInput): Promise<IssuedSession | null> => {
  const { password, code, ceremony, response } = input;
  if (code !== undefined) return confirmByFactor(ctx, { code });
  if (ceremony !== undefined && response !== undefined) return confirmByFactor(ctx, { ceremony, response });
  const user = requireUser(ctx);
  if (password === undefined) {
    requireFactor(ctx.actor, ctx.clock.now());
    await confirmPresence(ctx, undefined);
    return null;
  }
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { passwordHash } = account;
  if (passwordHash === null) throw await proofWanted(ctx, account);
  await confirmPassword(ctx, { userId: user.id, passwordHash, password, field: "password" });
  const issued = await ctx.db.transaction(async (tx) => {
    const held = await holdEnabledUser(tx, user.id);
    if (held?.passwordHash !== passwordHash) throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
    const renewed = await renewSession(ctx, tx, { hasFactor: false });
    // It may have been ended while the hash was computed.
    if (renewed === null) throw new AppError("NOT_SIGNED_IN");
    return renewed;
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return issued;
};

const confirmByFactor = async (ctx: Context, given: GivenFactor): Promise<IssuedSession> => {
  const user = requireUser(ctx);
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  if (account.secondFactorAt === null) throw await proofWanted(ctx, account);
  const renewed = checkFactor(ctx, { account, given, purpose: "confirm" }, (take) =>
    ctx.db.transaction(async (tx) => {
      const held = await holdEnabledUser(tx, user.id);
      if (!held) throw new AppError("NOT_SIGNED_IN");
      await take(tx, held);
      const issued = await renewSession(ctx, tx, { hasFactor: true });
      if (issued === null) throw new AppError("NOT_SIGNED_IN");
      return issued;
    }),
  );
  const issued = await watchConfirmation(ctx, () => onField("code", renewed));
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return issued;
};

const beginConfirm = async (ctx: Context): Promise<BegunCeremony> => {
  const { id: userId } = requireUser(ctx);
  return beginRequest(ctx, { purpose: "confirm", userId, known: await listPasskeys(ctx.db, userId) });
};

/** The caller's sessions: first the one that asks, then by their last use. */
export const listOwnSessions = async (ctx: Context): Promise<OwnSession[]> => {
  const { user, sessionHash } = requireSession(ctx);
  const rows = await listSessions(ctx.db, sessionsOf(ctx, user));
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

/** The session that asks: until when it lasts, and until when it is confirmed. */
const readSession = async (ctx: Context): Promise<CurrentSession> => {
  const session = requireSession(ctx);
  const { user, begunAt, endsAt, factorRequiredBy } = session;
  return {
    now: ctx.clock.now().toISOString(),
    idleEndsAt: endsAt.toISOString(),
    endsAt: lastEnd(begunAt, sessionTimes(user.role, ctx.settings.current.accounts)).toISOString(),
    factorRequiredBy: factorRequiredBy?.toISOString() ?? null,
    confirmedUntil: confirmedUntil(ctx, session)?.toISOString() ?? null,
  };
};

/** Until when a session may do what a sign-in alone does not allow, or not for long; `null` when it may not. */
const confirmedUntil = (ctx: Context, { begunAt, provenAt, secondFactor }: SignedIn): Date | null => {
  const factorAt = secondFactor?.provenAt ?? null;
  const confirmedAt = provenAt > begunAt ? provenAt : null;
  const [latest] = [confirmedAt, factorAt]
    .flatMap((at) => at ?? [])
    .sort((a, b) => b.getTime() - a.getTime());
  if (latest === undefined) return null;
  const until = new Date(latest.getTime() + limits.freshSessionMs);
  return until > ctx.clock.now() ? until : null;
};

/** Ends what was confirmed in the caller's session, which goes on. */
const endConfirmation = async (ctx: Context): Promise<{ message: string }> => {
  const { user, sessionHash } = requireSession(ctx);
  await forgetConfirmation(ctx.db, sessionHash);
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return { message: accountTexts.confirmationEnded };
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
    const { token, lifeMs } = await changePassword(ctx, { ...input, deviceToken: device.token });
    session.set(token, lifeMs);
    return { message: accountTexts.passwordChanged };
  },
  confirm: async (ctx, input, { session }) => {
    const issued = await confirm(ctx, input);
    if (issued !== null) session.set(issued.token, issued.lifeMs);
    return { message: accountTexts.confirmed };
  },
  beginConfirm: (ctx) => beginConfirm(ctx),
  confirmWithProvider: async (ctx, input, { oauth }) => {
    const { url, browserSecret } = await confirmWithProvider(ctx, { ...input, browserSecret: oauth.token });
    oauth.set(browserSecret);
    return { url };
  },
  endConfirmation: (ctx) => endConfirmation(ctx),
  session: (ctx) => readSession(ctx),
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
    const { label } = await unlinkProvider(ctx, input);
    return { message: unlinked(label) };
  },
  remove: async (ctx, input, { session, device }) => {
    await deleteAccount(ctx, input);
    session.clear();
    device.clear();
    return { message: accountTexts.deleted };
  },
  export: exportAccount,
});
