import { factOf } from "#api/core/activity.ts";
import { personBehind, requireAdmin, requirePerson } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import { type AttemptBudget, type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { checkNewPassword, isFactorRequired, requiredFromInvitation } from "#api/core/password-policy.ts";
import { completeSignIn, type SignedIn } from "#api/modules/auth/index.ts";
import { invitationMail, passkeyAddedMail } from "#api/modules/mail/index.ts";
import {
  addPasskey,
  type BegunCeremony,
  beginRegistration,
  checkNewPasskey,
  type GivenPasskey,
} from "#api/modules/passkeys/index.ts";
import { noteFactorAdded, noticeFor, offersFactors } from "#api/modules/second-factors/index.ts";
import type { Browser } from "#api/modules/sessions/index.ts";
import {
  insertUser,
  readHandle,
  removePendingRegistrations,
  type UserRow,
} from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts, factorTexts, invitationTexts, tooManyInvitations } from "#contract/auth-texts.ts";
import { fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import type {
  AcceptInput,
  CreateInvitationsInput,
  Invitation,
  InvitationHandle,
  InvitationList,
  InvitationResults,
  ListInvitationsInput,
  OpenInvitation,
} from "./contract.ts";
import {
  findByToken,
  holdInvitation,
  holdInviter,
  type InvitationRow,
  type KnownInvitation,
  putInvitation,
  selectInvitations,
  selectTaken,
  takeInvitation,
  updateInvitation,
} from "./store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** One page of the invitations, those emailed last first. For admins and the operator. */
export const listInvitations = async (ctx: Context, input: ListInvitationsInput): Promise<InvitationList> => {
  requireAdmin(ctx);
  const { limit, offset } = input;
  const { rows, total } = await selectInvitations(ctx.db, { ...input, now: ctx.clock.now() });
  return { invitations: rows.map(toInvitation), pagination: { total, limit, offset } };
};

type Wanted = CreateInvitationsInput["invitations"][number];
type Result = InvitationResults["results"][number];

/**
 * Emails addresses a link to create an account with. Those that have an account, a waiting invitation or too many emails behind them
 * are skipped. For admins and the operator; no API token invites an admin (`SESSION_REQUIRED`).
 */
export const createInvitations = async (
  ctx: Context,
  { invitations: wanted, note }: CreateInvitationsInput,
): Promise<InvitationResults> => {
  requireAdmin(ctx);
  const isForAdmins = wanted.some(({ role }) => role === "admin");
  if (isForAdmins) requirePerson(ctx);
  const act = {
    type: "admin_action",
    action: "Invited users",
    severity: isForAdmins ? "high" : "medium",
    described: (results: Result[]) => {
      const invited = results.filter(({ status }) => status === "invited").map(({ email }) => email);
      return invited.length === 0
        ? null
        : { description: invited.join(", "), after: { invited: invited.length } };
    },
  } as const;
  const results = await adminAction(ctx, act, async (tx) => {
    await requireInviter(ctx, tx);
    return inviteAll(ctx, tx, { wanted, note: note?.trim() || null });
  });
  ctx.mail.wake();
  return { results };
};

const inviteAll = async (
  ctx: Context,
  tx: Database,
  { wanted, note }: { wanted: Wanted[]; note: string | null },
): Promise<Result[]> => {
  const keyed = wanted.map((one, at) => ({ ...one, at, email: one.email.trim(), key: emailKey(one.email) }));
  const keys = keyed.map(({ key }) => key);
  const taken = await selectTaken(tx, keys, ctx.clock.now());
  const results: Result[] = [];
  for (const { at, key, ...one } of keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const invited = taken.get(key) ?? (await invite(ctx, tx, { ...one, key, note }));
    results[at] =
      typeof invited === "string"
        ? { email: one.email, id: null, status: "skipped", reason: invited }
        : { email: one.email, id: invited.id, status: "invited", reason: null };
  }
  return results;
};

type Invite = Omit<Wanted, "email"> & { email: string; key: string; note: string | null };

/** Stores one invitation and its email, or says why not. */
const invite = async (
  ctx: Context,
  tx: Database,
  { email, key, name, role = "user", expiresInDays = limits.invitationDays, note }: Invite,
): Promise<InvitationRow | "waiting" | "limit"> => {
  if (!(await mayMail(ctx, key))) return "limit";
  const now = ctx.clock.now();
  const token = newToken(limits.mailedTokenBytes);
  const row: InvitationRow = {
    ...{ id: newId(), email, emailKey: key, name: name?.trim() ?? null, role, note },
    ...{ tokenHash: hashToken(token), ...inviterOf(ctx), mailedAt: now },
    ...{ expiresAt: new Date(now.getTime() + expiresInDays * dayMs), acceptedAt: null, withdrawnAt: null },
  };
  if (!(await putInvitation(tx, row, now))) return "waiting";
  await mailLink(ctx, tx, { row, token });
  return row;
};

const requireInviter = async (ctx: Context, tx: Database): Promise<void> => {
  const inviter = personBehind(ctx.actor);
  if (inviter && !(await holdInviter(tx, inviter.id))) throw new AppError("FORBIDDEN");
};

const inviterOf = ({ actor }: Context) => {
  const inviter = personBehind(actor);
  return { invitedBy: inviter?.id ?? null, inviterName: inviter?.name ?? null };
};

const mailLink = (
  ctx: Context,
  tx: Database,
  { row, token }: { row: InvitationRow; token: string },
): Promise<void> => {
  const link = `${ctx.appUrl}/invite?token=${token}`;
  const { name, inviterName, note, role, expiresAt } = row;
  return ctx.mail.enqueue(tx, {
    to: row.email,
    link,
    ...invitationMail({ name: name ?? "", inviter: inviterName, note, role, expiresAt, link }),
  });
};

/** Counts one email against those of the inviter and of the address; false where either is used up. */
const mayMail = async (ctx: Context, key: string): Promise<boolean> => {
  try {
    await spendMail(ctx, key);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === "RATE_LIMITED") return false;
    throw error;
  }
};

const spendMail = async (ctx: Context, key: string): Promise<void> => {
  // A plan emails no one.
  if (ctx.isDryRun) return;
  const budget = (name: string, most: number, windowMs: number): AttemptBudget => ({
    key: `invitation:${name}`,
    most,
    windowMs,
    message: tooManyInvitations,
  });
  await ctx.attempts.spend([
    budget(`by ${personBehind(ctx.actor)?.id ?? "operator"}`, limits.invitationMailsInAnHour, 60 * 60 * 1000),
    budget(`to ${key}`, limits.invitationResendsInADay + 1, dayMs),
  ]);
};

/**
 * Emails an invitation again, in the name of the admin who asks, with a new link that is good for as long as the first one was. For
 * admins and the operator. Throws `NOT_FOUND`, `RATE_LIMITED`, and `CONFLICT` for one that was accepted or withdrawn, and when the address has an
 * account.
 */
export const resendInvitation = async (ctx: Context, input: InvitationHandle): Promise<Invitation> => {
  const sent = await changeInvitation(ctx, {
    handle: input.invitation,
    action: "Emailed an invitation again",
    change: async (tx, row) => {
      if (row.role === "admin") requirePerson(ctx);
      const taken = await selectTaken(tx, [row.emailKey], ctx.clock.now());
      if (row.state === "accepted" || taken.get(row.emailKey) === "account")
        throw new AppError("CONFLICT", authTexts.emailTaken);
      if (row.withdrawnAt !== null) throw new AppError("CONFLICT", invitationTexts.withdrawnAlready);
      await spendMail(ctx, row.emailKey);
      const token = newToken(limits.mailedTokenBytes);
      const now = ctx.clock.now();
      const expiresAt = new Date(now.getTime() + row.expiresAt.getTime() - row.mailedAt.getTime());
      const change = { tokenHash: hashToken(token), ...inviterOf(ctx), mailedAt: now, expiresAt };
      await updateInvitation(tx, row.id, change);
      await mailLink(ctx, tx, { row: { ...row, ...change }, token });
      return { ...row, ...change, state: "waiting" };
    },
  });
  ctx.mail.wake();
  return sent;
};

/** Ends an invitation: its link works no longer. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for one that was accepted. */
export const withdrawInvitation = (ctx: Context, input: InvitationHandle): Promise<Invitation> =>
  changeInvitation(ctx, {
    handle: input.invitation,
    action: "Withdrew an invitation",
    change: async (tx, row) => {
      if (row.state === "accepted") throw new AppError("CONFLICT", invitationTexts.acceptedAlready);
      if (row.withdrawnAt !== null) return null;
      const change = { withdrawnAt: ctx.clock.now() };
      await updateInvitation(tx, row.id, change);
      return { ...row, ...change, state: "withdrawn" };
    },
  });

type Change = {
  /** Id or address. */
  handle: string;
  /** What is done, as the log says it. */
  action: string;
  /** Gives the invitation as it is then; `null`: nothing was changed. */
  change: (tx: Database, row: KnownInvitation) => Promise<KnownInvitation | null>;
};

const changeInvitation = async (ctx: Context, { handle, action, change }: Change): Promise<Invitation> => {
  const act = {
    type: "admin_action",
    action,
    description: handle,
    severity: "medium",
    described: ({ row, changed }: { row: KnownInvitation; changed: KnownInvitation | null }) =>
      changed && { description: row.email },
  } as const;
  const { row, changed } = await adminAction(ctx, act, async (tx) => {
    await requireInviter(ctx, tx);
    const read = readHandle(handle);
    const found = read && (await holdInvitation(tx, read, ctx.clock.now()));
    if (!found) throw new AppError("NOT_FOUND", invitationTexts.unknown);
    return { row: found, changed: await change(tx, found) };
  });
  return toInvitation(changed ?? row);
};

const toInvitation = (row: KnownInvitation): Invitation => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  state: row.state,
  invitedBy: row.inviterName,
  mailedAt: row.mailedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
});

/** What the page of an emailed link shows. Changes nothing. Throws `TOKEN_INVALID` where {@link acceptInvitation} would. */
export const checkInvitation = async (ctx: Context, input: { token: string }): Promise<OpenInvitation> => {
  const { email, name, role, inviterName: invitedBy, expiresAt } = await find(ctx, input);
  const needsSecondFactor = role === "admin" && isFactorRequired(role, ctx.settings.current.accounts);
  return {
    ...{ email, name, role, invitedBy, expiresAt: expiresAt.toISOString() },
    isPasskeyOffered: offersFactors(ctx) && ctx.passkeyHost !== null,
    needsSecondFactor,
    suggestsSecondFactor: role === "admin" && !needsSecondFactor && offersFactors(ctx),
  };
};

const find = async (ctx: Context, { token }: { token: string }): Promise<InvitationRow> => {
  const found = await findByToken(ctx.db, hashToken(token), ctx.clock.now());
  if (!found) throw new AppError("TOKEN_INVALID", invitationTexts.invalid);
  return found;
};

/**
 * Begins to make a passkey for someone who was invited, in the place of a password; nothing else is created. Throws `TOKEN_INVALID`
 * where {@link acceptInvitation} would, and `CONFLICT` where passkeys are not offered.
 */
export const beginInvitedPasskey = async (
  ctx: Context,
  { token }: { token: string },
): Promise<BegunCeremony> => {
  const { email, name } = await find(ctx, { token });
  if (!offersFactors(ctx)) throw new AppError("CONFLICT", factorTexts.notOffered);
  const owner = {
    userId: null,
    userHandle: handleFor(token),
    user: { name: name ?? email, email },
    known: [],
  };
  return beginRegistration(ctx, { purpose: "invitation", ...owner });
};

/**
 * Who someone invited is to their authenticator. The same at each try, so that a second passkey takes the place of one that no
 * account came to; and another one for each link, which binds the challenge to it.
 */
const handleFor = (token: string): string =>
  Buffer.from(hashToken(`passkey ${token}`), "hex").toString("base64url");

/** A sign-in to a new account; `recoveryCodes` came with a passkey, and are `null` with a password. */
type Accepted = SignedIn & { recoveryCodes: string[] | null };

/**
 * Creates the account of someone who was invited, with a password or a passkey, and signs them in: the link proves the address.
 * Throws `TOKEN_INVALID` for a link that is unknown, used, replaced, expired or withdrawn, `CONFLICT` when the address got an account in
 * the meantime, and a 422 for a weak password or `PASSKEY_REFUSED`, which leave the link good. Of many at the same time one succeeds.
 */
export const acceptInvitation = async (
  ctx: Context,
  input: AcceptInput & { browser: Browser },
): Promise<Accepted> => {
  // Strangers with a wrong link get no hash computed for them, and no passkey checked.
  const { email, emailKey, tokenHash } = await find(ctx, input);
  const name = input.name.trim();
  const { passwordHash, give, ...way } = await wayIn(ctx, { ...input, name, email });
  let recoveryCodes: string[] | null = null;
  const signedIn = await completeSignIn(ctx, { browser: input.browser, ...way }, async (tx) => {
    // First, as everyone does who touches registrations and users.
    await removePendingRegistrations(tx, emailKey);
    const user = await createInvited(ctx, tx, { tokenHash, name, passwordHash });
    recoveryCodes = await give(tx, user);
    return user;
  });
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.happenings.tell({ name: "user.registered", userId: signedIn.user.id });
  return { ...signedIn, recoveryCodes };
};

/** How someone invited gets in: the hash of a password, or what gives the new user the passkey. */
type WayIn = {
  passwordHash: string | null;
  give: (tx: Database, user: UserRow) => Promise<string[] | null>;
} & ({ way: "password" } | { factorAt: Date });

const wayIn = async (ctx: Context, input: AcceptInput & { email: string }): Promise<WayIn> => {
  const { token, name, email, password, ceremony, response } = input;
  if (ceremony !== undefined || response !== undefined) {
    if (password !== undefined)
      throw validationError([{ path: "password", message: invitationTexts.oneWay }]);
    if (ceremony === undefined || response === undefined) {
      const path = ceremony === undefined ? "ceremony" : "response";
      throw validationError([{ path, message: fieldTexts.required }]);
    }
    return wayByPasskey(ctx, token, { ceremony, response });
  }
  if (password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  await checkNewPassword(ctx, password, { name, email });
  return { way: "password", passwordHash: await ctx.hasher.hash(password), give: async () => null };
};

const wayByPasskey = async (ctx: Context, token: string, given: GivenPasskey): Promise<WayIn> => {
  const passkey = await checkNewPasskey(ctx, { purpose: "invitation", userId: null, given });
  if (passkey.userHandle !== handleFor(token)) throw new AppError("PASSKEY_REFUSED", passkeyTexts.expired);
  const now = passkey.createdAt;
  return {
    passwordHash: null,
    factorAt: now,
    give: async (tx, user) => {
      const passkeyName = describeDevice(ctx.userAgent);
      await addPasskey(tx, { ...passkey, userId: user.id, name: passkeyName });
      await ctx.mail.enqueue(tx, {
        to: user.email,
        ...passkeyAddedMail({ ...noticeFor(ctx, user), passkeyName }),
      });
      return noteFactorAdded(tx, user, now);
    },
  };
};

type Invited = Pick<InvitationRow, "tokenHash"> & Pick<UserRow, "name" | "passwordHash">;

const createInvited = async (
  ctx: Context,
  tx: Database,
  { tokenHash, name, passwordHash }: Invited,
): Promise<UserRow> => {
  const now = ctx.clock.now();
  const invitation = await takeInvitation(tx, { tokenHash }, now);
  if (!invitation) throw new AppError("TOKEN_INVALID", invitationTexts.invalid);
  const { email, role, inviterName } = invitation;
  await runBefore(ctx, tx, "user.register", { email, name });
  const person = { id: newId(), name, email, passwordHash, role, mailboxProvedAt: now, now };
  const factorRequiredFrom = requiredFromInvitation(role, ctx.settings.current.accounts, now);
  const user = await insertUser(tx, { ...person, factorRequiredFrom });
  if (!user) throw new AppError("CONFLICT", authTexts.emailTaken);
  const entry = {
    type: "api_call",
    action: "Accepted an invitation",
    description: `Of ${inviterName ?? "the operator"}, with a ${passwordHash === null ? "passkey" : "password"}`,
    severity: role === "admin" ? "high" : "medium",
    userEmail: email,
    after: { email, role },
  } as const;
  await ctx.activity.record(tx, factOf(ctx, entry));
  return user;
};
