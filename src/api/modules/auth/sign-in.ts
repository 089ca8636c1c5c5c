import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { requireUser, subjectAt, toUser } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { circumstancesOf, networkOf, placeBudgets } from "#api/core/circumstances.ts";
import { type AttemptBudget, type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { newDeviceMail, passwordBreachedMail } from "#api/modules/mail/index.ts";
import {
  forgotPasswordLink,
  noTriesLeft,
  returnSignInTry,
  takeSignInTry,
} from "#api/modules/passwords/index.ts";
import { factorWanted } from "#api/modules/second-factors/index.ts";
import {
  endSession,
  type IssuedSession,
  insertDevice,
  type ProviderSession,
  replaceSession,
  returnDeviceTry,
  type Browser as SessionBrowser,
  takeDeviceTry,
  wasSignedIn,
} from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts, tooManyAttempts } from "#contract/auth-texts.ts";
import { type ErrorKind, fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { dryRunName } from "#contract/plan.ts";
import type { User } from "#contract/users.ts";
import type { LoginInput } from "./contract.ts";
import { admitUser, findCredentials, takeMailTurn, updatePasswordHash } from "./store.ts";

/**
 * A sign-in, and the tokens of session and known device that the browser came with, if any. `keepStep` gives the browser what
 * it needs for the second factor.
 */
type LoginAttempt = LoginInput & {
  presentedToken?: string | null;
  presentedDevice?: string | null;
  keepStep?: Browser["keepStep"];
};

/**
 * Signs a user in: see {@link completeSignIn}. Unknown addresses, wrong passwords and disabled accounts all get
 * `INVALID_CREDENTIALS` after the same work; `EMAIL_NOT_VERIFIED` comes only after the right password of the newest
 * registration of the last day, also where the address has an account, so that registering it and signing in does not tell
 * whether it has; `SECOND_FACTOR_REQUIRED` after the right password of an account with a second factor; `RATE_LIMITED` after too
 * many wrong ones.
 */
export const login = async (ctx: Context, input: LoginAttempt): Promise<SignedIn> => {
  const key = emailKey(input.email);
  const deviceToken = input.presentedDevice ?? null;
  try {
    const signedIn = await limitSignIn(ctx, { key, deviceToken }, () => attempt(ctx, input, key));
    noteSignIn(ctx, { user: signedIn.user, way: "a password" });
    return signedIn;
  } catch (error) {
    noteRefusedSignIn(ctx, { email: input.email, error });
    throw error;
  }
};

/**
 * Emails an administrator, at most once a day, whose password was right and has appeared in a data breach since it was chosen. A refusal
 * would tell a guesser that it's right. Never rejects.
 */
const warnOfBreach = async (
  ctx: Context,
  { user, password }: { user: User; password: string },
): Promise<void> => {
  if (user.role !== "admin" || (await ctx.breachCheck(password)) !== "breached") return;
  const key = `breached-password:${user.id}`;
  try {
    await ctx.attempts.spend([{ key, most: 1, windowMs: 24 * 60 * 60 * 1000, message: () => "" }]);
  } catch (error) {
    if (error instanceof AppError && error.kind === "RATE_LIMITED") return;
    return noteUntold(ctx, error);
  }
  try {
    const notice = { name: user.name, resetLink: forgotPasswordLink(ctx), at: ctx.clock.now() };
    await ctx.mail.enqueue(ctx.db, { to: user.email, ...passwordBreachedMail(notice) });
  } catch (error) {
    // The day's turn is for an email that was queued.
    await ctx.attempts.clear([key]).catch((unclear) => noteUntold(ctx, unclear));
    return noteUntold(ctx, error);
  }
  ctx.mail.wake();
  noteActivity(ctx, {
    type: "suspicious_activity",
    action: "An administrator's password has appeared in a data breach",
    severity: "high",
    userEmail: user.email,
  });
};

const noteUntold = ({ log }: Context, error: unknown): void =>
  log.warn("an administrator could not be told that their password was breached", {
    error: describeError(error),
  });

const attempt = async (ctx: Context, input: LoginAttempt, key: string): Promise<SignedIn> => {
  const { user, registration } = await findCredentials(ctx.db, key, ctx.clock.now());
  const passwordHash = user?.passwordHash ?? null;
  const isRight = await ctx.hasher.verify(input.password, passwordHash);
  if (!isRight || user === null || passwordHash === null || user.disabledAt !== null) {
    const isOfRegistration = await ctx.hasher.verify(input.password, registration?.passwordHash ?? null);
    throw new AppError(isOfRegistration ? "EMAIL_NOT_VERIFIED" : "INVALID_CREDENTIALS");
  }
  if (user.emailVerifiedAt === null) throw new AppError("EMAIL_NOT_VERIFIED");
  // Behind the answer, which must not wait for another company's server.
  void warnOfBreach(ctx, { user: toUser(user), password: input.password });
  const newHash = ctx.hasher.isOutdated(passwordHash) ? await ctx.hasher.hash(input.password) : passwordHash;
  const { presentedToken = null, presentedDevice = null, keepStep } = input;
  const browser = {
    sessionToken: presentedToken,
    deviceToken: presentedDevice,
    ...(keepStep && { keepStep }),
  };
  return completeSignIn(ctx, { browser, way: "password" }, async (tx) => {
    if (!(await admitUser(tx, user, passwordHash))) throw new AppError("INVALID_CREDENTIALS");
    if (newHash !== passwordHash) await updatePasswordHash(tx, user.id, newHash);
    return { ...user, passwordHash: newHash };
  });
};

/** What a browser came with; `keepStep` gives it what it needs for the second factor. */
export type Browser = SessionBrowser & { keepStep?(step: string): void };

/**
 * How somebody signs in: in a `way` that is one factor, or with the second one as well, which they gave at `factorAt`; `via` is the
 * provider's part in it, `provenAt` when the user signed in there, if that was before now.
 */
type SignInWay = { browser: Browser; via?: ProviderSession | null; provenAt?: Date } & (
  | { way: StepWay; factorAt?: never }
  | { way?: never; factorAt: Date }
);

/** A sign-in that is done. The caller sets the session cookie, and the device cookie unless it is `null`: kept. */
export type SignedIn = IssuedSession & { user: User; deviceToken: string | null };

/**
 * Ends every way of signing in, in one transaction: a session begins, the browser's older one ends, the browser is
 * remembered, and the user is emailed of one that is new to an account that was used before. `identify` finds or makes
 * the user; it locks the user's row, so that sessions which end at the same moment end for this sign-in too, and throws
 * when the user may not sign in. A user with a second factor who has not given it gets no session, whatever the way: the browser
 * gets what it needs for the next step, and `SECOND_FACTOR_REQUIRED` is thrown.
 */
export const completeSignIn = async (
  ctx: Context,
  { browser, via = null, provenAt = ctx.clock.now(), ...how }: SignInWay,
  identify: (tx: Database) => Promise<UserRow>,
): Promise<SignedIn> => {
  const done = await ctx.db.transaction(async (tx) => {
    const user = await identify(tx);
    if (user.secondFactorAt !== null && how.way !== undefined) return { halfway: { user, way: how.way } };
    if (user.role !== "admin") await runBefore(ctx, tx, "user.login", toUser(user));
    const { factorAt = null } = how;
    const session = await replaceSession(ctx, tx, { user, browser, factorAt, provenAt, via });
    const device = session.isKnownDevice ? kept : await rememberBrowser(ctx, tx, { user, ...session });
    return { ...session, ...device, user: toUser(user) };
  });
  if ("halfway" in done) {
    const { halfway } = done;
    browser.keepStep?.(sealStep(ctx, { ...halfway, via, deviceToken: browser.deviceToken }));
    throw await factorWanted(ctx, halfway.user.id);
  }
  const { user, token, lifeMs, deviceToken, endedUserId, isMailed } = done;
  if (endedUserId !== null) ctx.events.publish({ type: "sessions-ended", userId: endedUserId });
  if (isMailed) ctx.mail.wake();
  ctx.happenings.tell({ name: "user.login", userId: user.id });
  return { user, token, lifeMs, deviceToken };
};

const kept = { deviceToken: null, isMailed: false };

type Newcomer = { user: UserRow; token: string; endedUserId: string | null };

/** A token of the browser's own that was not given to this very user is never adopted: it may have been planted. */
const rememberBrowser = async (ctx: Context, tx: Database, { user, token, endedUserId }: Newcomer) => {
  const isStrange = endedUserId !== user.id && (await wasSignedIn(tx, user.id, hashToken(token)));
  const deviceToken = newToken(limits.sessionTokenBytes);
  await insertDevice(tx, { tokenHash: hashToken(deviceToken), userId: user.id, now: ctx.clock.now() });
  return { deviceToken, isMailed: isStrange && (await mailNotice(ctx, tx, user)) };
};

/** Emails the notice to the stored address; of sign-ins that would read the same, once a minute. */
const mailNotice = async (ctx: Context, tx: Database, { id, name, email }: UserRow): Promise<boolean> => {
  const circumstances = circumstancesOf(ctx);
  const turn = `new-device:${id} ${networkOf(ctx.ip)} ${circumstances.device}`;
  if (!(await takeMailTurn(tx, turn, circumstances.at))) return false;
  const resetLink = forgotPasswordLink(ctx);
  await ctx.mail.enqueue(tx, { to: email, ...newDeviceMail({ name, resetLink, ...circumstances }) });
  return true;
};

/** Leaves with the activity log that someone signed in; `way` is "a password", "a passkey", or the provider's name. */
export const noteSignIn = (ctx: Context, { user, way }: { user: User; way: string }): void =>
  noteActivity(ctx, {
    type: "api_call",
    action: "Signed in",
    description: `With ${way}`,
    severity: user.role === "admin" ? "medium" : "low",
    by: user,
  });

/**
 * Leaves with the activity log that a sign-in with a password was refused. What is recorded, and what it costs, is the
 * same whether or not the address has an account. Failures of the server are not recorded here.
 */
const noteRefusedSignIn = (ctx: Context, { email, error }: { email: string; error: unknown }): void => {
  const entry = error instanceof AppError ? refusals[error.kind] : undefined;
  if (entry === undefined) return;
  // Whoever tries is no one known, even in a browser that someone is signed in with.
  const stranger: Context = { ...ctx, actor: { kind: "visitor" } };
  noteActivity(stranger, { ...entry, status: "failure", userEmail: email.trim() });
};

const refusals: Partial<Record<ErrorKind, ActivityEntry>> = {
  INVALID_CREDENTIALS: {
    type: "suspicious_activity",
    action: "Failed to sign in",
    description: "Wrong email address or password",
    severity: "medium",
  },
  RATE_LIMITED: {
    type: "suspicious_activity",
    action: "Tried to sign in too often",
    description: "Passwords are not checked for a while",
    severity: "high",
  },
  EMAIL_NOT_VERIFIED: {
    type: "api_call",
    action: "Failed to sign in",
    description: "The email address was not verified yet",
  },
};

/** A sign-in with a password: for which address, and the token of the browser's device cookie, if any. */
type LimitedSignIn = { key: string; deviceToken: string | null };

/**
 * Runs the check of a password while wrong ones are left, every limit the same whether or not the address has an
 * account. A browser that its owner signed in with before has wrong passwords of its own, so that strangers who guess
 * do not keep the owner out. Everyone else shares those of address, place and both, and, however long they take, those
 * that an address has in a row. What `check` throws counts when it is a wrong password; when it succeeds it ends the rows
 * itself. Throws `RATE_LIMITED`.
 */
const limitSignIn = async <T>(
  ctx: Context,
  { key, deviceToken }: LimitedSignIn,
  check: () => Promise<T>,
): Promise<T> => {
  const device = deviceToken === null ? null : hashToken(deviceToken);
  if (device !== null && (await takeDeviceTry(ctx.db, key, device))) {
    return withTryTaken(check, () => returnDeviceTry(ctx.db, device));
  }
  const guarded = async () => {
    if (!(await takeSignInTry(ctx.db, key, ctx.clock.now()))) throw noTriesLeft();
    return withTryTaken(check, () => returnSignInTry(ctx.db, key));
  };
  return ctx.attempts.run(signInBudgets(ctx, key), guarded, isWrongPassword);
};

/** Opens an address, and the place that asks for it, to sign-ins again: its owner has proven who they are. */
export const clearSignInBudgets = (ctx: Context, key: string): Promise<void> =>
  ctx.attempts.clear([signInKey(key), signInKey(`${key} ${networkOf(ctx.ip)}`)]);

/** Taken before the password is looked at, so that no number of parallel calls has more; given back when it was none. */
const withTryTaken = async <T>(check: () => Promise<T>, giveBack: () => Promise<void>): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    if (!isWrongPassword(error)) await giveBack();
    throw error;
  }
};

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "INVALID_CREDENTIALS";

const signInKey = (name: string): string => `sign-in:${name}`;

/** Failures of one account from one place, of one account from anywhere, and of one place on any account. */
const signInBudgets = (ctx: Context, key: string): AttemptBudget[] => {
  const budget = (name: string, most: number): AttemptBudget => ({
    key: signInKey(name),
    most,
    windowMs: limits.signInWindowMs,
    message: tooManyAttempts,
  });
  return [
    budget(`${key} ${networkOf(ctx.ip)}`, limits.signInFailuresByAddressAndIp),
    budget(key, limits.signInFailuresByAddress),
    ...placeBudgets(ctx.ip, budget("", limits.signInFailuresByIp)),
  ];
};

/** The user who is signed in. Throws `NOT_SIGNED_IN` for anyone else, the operator included. */
export const currentUser = (ctx: Context): User => requireUser(ctx);

/** {@link logout} for a link. Throws a 422 for one that asks for a dry run: whoever asks that must not be signed out. */
export const logoutByLink = async (ctx: Context, query: object): Promise<{ message: string }> => {
  if (Object.hasOwn(query, dryRunName))
    throw validationError([{ path: dryRunName, message: fieldTexts.unknown }]);
  return logout(ctx);
};

/** Ends the caller's session. Whoever has none is signed out already, and told the same. */
export const logout = async (ctx: Context): Promise<{ message: string }> => {
  const ended = ctx.actor.kind === "user" ? await endSession(ctx.db, ctx.actor.sessionHash) : null;
  if (ended !== null) ctx.events.publish({ type: "sessions-ended", userId: ended.userId });
  return { message: authTexts.loggedOut };
};

/** What came before the second factor: `password`, or the id of a provider. */
export type StepWay = string;

/**
 * A sign-in between its first step and the second factor. `credential` is the hash of what the first step was checked against,
 * `device` that of the browser's device cookie, `null` without one.
 */
type SignInStep = {
  userId: string;
  way: StepWay;
  via: ProviderSession | null;
  credential: string;
  device: string | null;
  expiresAtMs: number;
};

const purpose = "sign-in-step";
const place = "auth:step";

/** Packs a step for the browser to keep; no one else can read, make or change one, and nothing is stored. */
const sealStep = (
  ctx: Context,
  {
    user,
    way,
    via,
    deviceToken,
  }: Pick<SignInStep, "way" | "via"> & {
    user: UserRow;
    deviceToken: string | null;
  },
): string => {
  const step: SignInStep = {
    userId: user.id,
    way,
    via,
    credential: credentialOf(user, way) ?? "",
    device: deviceToken && hashToken(deviceToken),
    expiresAtMs: ctx.clock.now().getTime() + limits.stepMs,
  };
  return Buffer.from(ctx.secrets.seal(purpose, place, Buffer.from(JSON.stringify(step)))).toString(
    "base64url",
  );
};

// As long as the account has that very password or identity, the first step counts.
const credentialOf = (user: UserRow, way: StepWay): string | null => {
  const credential = way === "password" ? user.passwordHash : subjectAt(user, way);
  return credential && hashToken(credential);
};

/** The step that this very browser keeps. Throws {@link stepOver} for every other text. */
export const openStep = (
  ctx: Context,
  { step, deviceToken }: { step: string | null; deviceToken: string | null },
): SignInStep => {
  const opened = step === null ? null : open(ctx, step);
  if (opened === null || opened.expiresAtMs <= ctx.clock.now().getTime()) throw stepOver();
  if (opened.device !== (deviceToken && hashToken(deviceToken))) throw stepOver();
  return opened;
};

const open = (ctx: Context, text: string): SignInStep | null => {
  try {
    // Only `sealStep` can have made it: the seal is authenticated.
    return JSON.parse(
      Buffer.from(ctx.secrets.open(purpose, place, Buffer.from(text, "base64url"))).toString("utf8"),
    ) as SignInStep;
  } catch {
    // Anyone may send anything; why it does not open is of no interest.
    return null;
  }
};

/** Whether the first step still counts for the account as it is now. */
export const isStill = (step: SignInStep, user: UserRow): boolean =>
  user.disabledAt === null &&
  user.secondFactorAt !== null &&
  credentialOf(user, step.way) === step.credential;

/** The refusal of a sign-in whose first step does not count anymore. */
export const stepOver = (): AppError => new AppError("NOT_SIGNED_IN", authTexts.stepOver);
