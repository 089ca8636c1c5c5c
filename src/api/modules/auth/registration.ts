import { factOf, noteActivity } from "#api/core/activity.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { circumstancesOf, describeDevice } from "#api/core/circumstances.ts";
import { type Context, runBefore, type Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { atLeast } from "#api/core/timing.ts";
import { addressTakenMail, verificationMail } from "#api/modules/mail/index.ts";
import { replaceResetToken } from "#api/modules/passwords/index.ts";
import type { Browser } from "#api/modules/sessions/index.ts";
import {
  findUserByEmailKey,
  hasUsers,
  insertUser,
  removePendingRegistrations,
} from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts, registrationTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type {
  RegisterInput,
  RegistrationState,
  ResendInput,
  SetupInput,
  Verified,
  VerifyInput,
} from "./contract.ts";
import { mayMail, spendMailRequest } from "./mail-limits.ts";
import { completeSignIn, type SignedIn } from "./sign-in.ts";
import {
  findByVerificationToken,
  findNewestPending,
  findPendingOfBrowser,
  insertPending,
  isSetupTokenValid,
  prunePending,
  renewPending,
  replaceSetupToken,
  takePending,
  takeSetupToken,
} from "./store.ts";

/** What a registration keeps until its link is followed. */
type Applicant = {
  id: string;
  name: string;
  email: string;
  key: string;
  passwordHash: string;
  browserHash: string;
  /** For the link, and as it is stored. */
  token: string;
  tokenHash: string;
};

/**
 * Records a registration and emails its link; the address of an existing account is emailed that it has one. The answer
 * is the same in every case and costs the same work, so that no one learns which addresses have accounts. An address
 * gets at most one email a minute, ten an hour and thirty a day; registrations beyond that wait for a resend. The caller
 * sets the cookie `pending` from `browserToken`: it names this registration. Throws a 422 for a weak password, and
 * `REGISTRATION_CLOSED` where the settings don't let the address's owner register.
 */
export const register = async (
  ctx: Context,
  input: RegisterInput,
): Promise<{ message: string; browserToken: string }> => {
  const name = input.name.trim();
  const email = input.email.trim();
  requireOpenRegistration(ctx, email);
  await checkNewPassword(ctx, input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  // Always a new one: what the browser came with may have been planted.
  const browserToken = newToken(limits.sessionTokenBytes);
  const token = newToken(limits.mailedTokenBytes);
  const hashes = { passwordHash, browserHash: hashToken(browserToken), tokenHash: hashToken(token) };
  const applicant = { id: newId(), name, email, key: emailKey(email), token, ...hashes };
  await ctx.db.transaction((tx) => apply(ctx, tx, applicant));
  noteActivity(ctx, { type: "api_call", action: "Asked to register", userEmail: email });
  ctx.mail.wake();
  return { message: authTexts.registered, browserToken };
};

// Registrations without a link are of use to a resend alone, which takes the newest: older ones only fill the disk.
const keptWithoutLink = 20;

// The statements are the same, whether or not the address has an account: their number must not tell.
const apply = async (
  ctx: Context,
  tx: Database,
  { id, name, email, key, passwordHash, browserHash, token, tokenHash }: Applicant,
): Promise<void> => {
  const circumstances = circumstancesOf(ctx);
  const now = circumstances.at;
  await runBefore(ctx, tx, "user.register", { email, name });
  const isTurn = await mayMail(ctx, tx, { at: now, turn: key, request: "register", key });
  const owner = await findUserByEmailKey(tx, key);
  const isLinked = isTurn && owner === null;
  // Beside an account the row has ended before it begins.
  const expiresAt = owner ? now : new Date(now.getTime() + limits.verificationTokenMs);
  await insertPending(tx, {
    id,
    name,
    email,
    emailKey: key,
    passwordHash,
    tokenHash: isLinked ? tokenHash : null,
    mailedAt: isLinked ? now : null,
    browserHash,
    ip: circumstances.ip,
    device: circumstances.device,
    expiresAt,
    createdAt: now,
  });
  if (!isTurn) return prunePending(tx, key, keptWithoutLink);
  const link = verificationLink(ctx, token);
  await ctx.mail.enqueue(
    tx,
    owner
      ? {
          to: owner.email,
          ...addressTakenMail({ name: owner.name, loginLink: loginLink(ctx), ...circumstances }),
        }
      : { to: email, link, ...verificationMail({ link, ...circumstances }) },
  );
};

// No answer comes sooner: several times what the statements take, so that their number does not show.
const answerMs = 40;

/** A request for a new link, and the cookie `pending` that the browser came with, if any. */
type ResendRequest = ResendInput & { browserToken?: string | null };

/**
 * Emails a new link for the registration of an address that this browser made, else for the newest; older links stay good.
 * Where there is nothing to email, or the address may not be emailed now, or the place has asked too often, the answer is the
 * same and as slow. Throws `REGISTRATION_CLOSED` as {@link register} does: links that were emailed before stay good.
 */
export const resendVerification = async (
  ctx: Context,
  input: ResendRequest,
): Promise<{ message: string }> => {
  requireOpenRegistration(ctx, input.email);
  const key = emailKey(input.email);
  await atLeast(answerMs, async () => {
    if (await spendMailRequest(ctx))
      await ctx.db.transaction((tx) =>
        mailNewLink(ctx, tx, { key, browserToken: input.browserToken ?? null }),
      );
  });
  noteActivity(ctx, {
    type: "api_call",
    action: "Asked for another verification link",
    userEmail: input.email.trim(),
  });
  ctx.mail.wake();
  return { message: authTexts.resent };
};

const mailNewLink = async (
  ctx: Context,
  tx: Database,
  { key, browserToken }: { key: string; browserToken: string | null },
): Promise<void> => {
  const now = ctx.clock.now();
  const own =
    browserToken && (await findPendingOfBrowser(tx, { key, browserHash: hashToken(browserToken), now }));
  const pending = own || (await findNewestPending(tx, key, now));
  if (!pending || (await findUserByEmailKey(tx, key))) return;
  // An address that no one registered takes no turn: asking for it would keep its owner's first email away.
  const isRegistrant = Boolean(own);
  if (!(await mayMail(ctx, tx, { at: now, turn: key, request: "resend", key, isRegistrant }))) return;
  const token = newToken(limits.mailedTokenBytes);
  const renewed = await renewPending(tx, pending.id, hashToken(token), now);
  if (!renewed) return;
  const link = verificationLink(ctx, token);
  const circumstances = {
    at: renewed.createdAt,
    ip: renewed.ip ?? "unknown",
    device: renewed.device ?? describeDevice(null),
  };
  await ctx.mail.enqueue(tx, { to: renewed.email, link, ...verificationMail({ link, ...circumstances }) });
};

/** A link that was followed, and the cookie `pending` that the browser came with, if any. */
type Verification = VerifyInput & { browserToken?: string | null };

/**
 * Makes the user whose address an emailed link proves. Name and password are those that came along, else, unless the
 * settings say that they are always chosen, those of the registration that this very browser made: a link proves the
 * address and nothing else, and whoever registered it elsewhere may be a stranger. Then all registrations and links of the address end. Throws `PASSWORD_WANTED`, which leaves
 * the link good, where there is neither; a 422 for a weak password; `TOKEN_INVALID` for a token that is unknown, used or
 * expired, and when the address got an account in the meantime. Signs no one in. Where the browser had registered, the
 * answer has a token that sets another password for an hour: it may be a shared one, and the registration a stranger's.
 */
export const verifyEmail = async (
  ctx: Context,
  input: Verification,
): Promise<{ message: string; data: Verified }> => {
  const tokenHash = hashToken(input.token);
  const mailed = await findByVerificationToken(ctx.db, tokenHash, ctx.clock.now());
  if (!mailed) throw tokenInvalid();
  const chosen = await readChosen(ctx, input, mailed.email);
  const applicant = chosen ?? (await findOwn(ctx, input.browserToken ?? null, mailed.email));
  if (!applicant) {
    // Another use of the link may have ended all registrations of the address after it was found.
    if (!(await findByVerificationToken(ctx.db, tokenHash, ctx.clock.now()))) throw tokenInvalid();
    throw new AppError("PASSWORD_WANTED", undefined, { data: { email: mailed.email } });
  }
  const { name, email, passwordHash } = applicant;
  const resetToken = chosen === null ? newToken(limits.mailedTokenBytes) : null;
  const user = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    if (!(await takePending(tx, tokenHash, now))) throw tokenInvalid();
    await runBefore(ctx, tx, "user.register", { email, name });
    const made = await insertUser(tx, {
      id: newId(),
      name,
      email,
      passwordHash,
      role: "user",
      mailboxProvedAt: now,
      now,
    });
    if (made && resetToken) await replaceResetToken(tx, made.id, hashToken(resetToken), now);
    return made;
  });
  // Thrown after the commit: registrations of an address that has its account are of no more use.
  if (user === null) throw tokenInvalid();
  noteActivity(ctx, {
    type: "api_call",
    action: "Verified an email address with an emailed link",
    userEmail: user.email,
  });
  ctx.happenings.tell({ name: "user.registered", userId: user.id });
  const message = chosen === null ? authTexts.verified : authTexts.accountCreated;
  const data = { name, email, ...(resetToken === null ? {} : { resetToken }) };
  return { message, data };
};

const readChosen = async (ctx: Context, input: VerifyInput, email: string) => {
  if (input.name === undefined && input.password === undefined) return null;
  if (input.name === undefined) throw validationError([{ path: "name", message: authTexts.nameRequired }]);
  if (input.password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  const name = input.name.trim();
  await checkNewPassword(ctx, input.password, { name, email });
  return { name, email, passwordHash: await ctx.hasher.hash(input.password) };
};

const findOwn = async (ctx: Context, browserToken: string | null, email: string) => {
  if (browserToken === null || ctx.settings.current.accounts.verification === "always-choose") return null;
  const browserHash = hashToken(browserToken);
  return findPendingOfBrowser(ctx.db, { key: emailKey(email), browserHash, now: ctx.clock.now() });
};

const tokenInvalid = () => new AppError("TOKEN_INVALID", authTexts.verificationInvalid);

/** The page that uses a verification token up. Its origin comes from the configuration alone, never from a request. */
const verificationLink = (ctx: Context, token: string): string => `${ctx.appUrl}/verify-email?token=${token}`;

/** The sign-in page. */
const loginLink = (ctx: Context): string => `${ctx.appUrl}/login`;

/** Who may register, as pages say it before anyone tries; `notice` is `null` where everyone may. */
export const registrationState = ({ settings }: Pick<Context, "settings">): RegistrationState => {
  const { registration: policy, domains } = settings.current.accounts;
  return { policy, notice: policy === "open" ? null : registrationTexts[policy](domains) };
};

/**
 * Throws `REGISTRATION_CLOSED` unless the settings let the owner of an address make an account without being invited. It says
 * nothing about the address itself.
 */
export const requireOpenRegistration = (ctx: Pick<Context, "settings">, email: string): void => {
  const { policy, notice } = registrationState(ctx);
  if (notice === null) return;
  const { domains } = ctx.settings.current.accounts;
  if (policy === "domains" && domains.some((domain) => isAt(email, domain))) return;
  throw new AppError("REGISTRATION_CLOSED", notice);
};

const anySubdomain = "*.";

const isAt = (email: string, domain: string): boolean => {
  const host = hostOf(email);
  return domain.startsWith(anySubdomain)
    ? host.endsWith(`.${hostOf(`x@${domain.slice(anySubdomain.length)}`)}`)
    : host === hostOf(`x@${domain}`);
};

/** What follows the `@`, in the form in which two spellings are one. */
const hostOf = (email: string): string => {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf("@") + 1);
};

/**
 * Whether a setup link works, for the page that it opens. Changes nothing. Throws `TOKEN_INVALID` for a link that
 * {@link setupAdmin} would refuse.
 */
export const checkSetupLink = async (
  ctx: Context,
  input: { token: string },
): Promise<{ message: string }> => {
  const isValid = await isSetupTokenValid(ctx.db, hashToken(input.token), ctx.clock.now());
  if (!isValid || (await hasUsers(ctx.db))) throw setupInvalid();
  return { message: authTexts.setupWorks };
};

/** A setup, and the browser that it is done with. */
type SetupAttempt = SetupInput & { browser?: Browser };

const newBrowser: Browser = { sessionToken: null, deviceToken: null };

/**
 * Creates the first admin, verified, and signs them in: see {@link completeSignIn}. Throws
 * `TOKEN_INVALID` for a link that is unknown, used or expired, and once anyone has an account: of many calls at the same time,
 * even with different links, one succeeds.
 */
export const setupAdmin = async (ctx: Context, input: SetupAttempt): Promise<SignedIn> => {
  const tokenHash = hashToken(input.token);
  const now = ctx.clock.now();
  // Strangers with a wrong link get no hash computed for them.
  if (!(await isSetupTokenValid(ctx.db, tokenHash, now))) throw setupInvalid();
  const name = input.name.trim();
  const email = input.email.trim();
  await checkNewPassword(ctx, input.password, { name, email });
  const passwordHash = await ctx.hasher.hash(input.password);
  const signedIn = await completeSignIn(
    ctx,
    { browser: input.browser ?? newBrowser, way: "password" },
    async (tx) => {
      await removePendingRegistrations(tx, emailKey(email));
      if (!(await takeSetupToken(tx, tokenHash, now))) throw setupInvalid();
      const admin = await insertUser(tx, { id: newId(), name, email, passwordHash, role: "admin", now });
      if (!admin) throw setupInvalid();
      const entry = {
        type: "admin_action",
        action: "Created the first administrator with the setup link",
        severity: "high",
        userEmail: email,
        after: { email, role: admin.role },
      } as const;
      await ctx.activity.record(tx, factOf(ctx, entry));
      return admin;
    },
  );
  ctx.activity.wake();
  ctx.happenings.tell({ name: "user.registered", userId: signedIn.user.id });
  return signedIn;
};

const setupInvalid = () => new AppError("TOKEN_INVALID", authTexts.setupInvalid);

/**
 * The link that creates the first admin, good once and for an hour; older ones end. `null` as soon as anyone has an
 * account.
 */
export const issueSetupLink = async ({ db, clock, appUrl }: Services): Promise<string | null> => {
  if (await hasUsers(db)) return null;
  const token = newToken(limits.mailedTokenBytes);
  await db.transaction((tx) => replaceSetupToken(tx, hashToken(token), clock.now()));
  return `${appUrl}/setup?token=${token}`;
};
