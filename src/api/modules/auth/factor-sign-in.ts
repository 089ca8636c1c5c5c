import { noteActivity } from "#api/core/activity.ts";
import { providerLabel, subjectAt } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import {
  type BegunCeremony,
  beginRequest,
  checkPasskey,
  type GivenPasskey,
  listPasskeys,
  unknownPasskey,
  usePasskey,
} from "#api/modules/passkeys/index.ts";
import { forgetSignInFailures } from "#api/modules/passwords/index.ts";
import { checkFactor, type GivenFactor } from "#api/modules/second-factors/index.ts";
import type { Browser, Browser as SessionBrowser } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import type { FactorInput } from "./contract.ts";
import { endedKey, findAccount, hasEnded, holdAccount } from "./provider-store.ts";
import {
  completeSignIn,
  isStill,
  noteSignIn,
  openStep,
  type SignedIn,
  type StepWay,
  stepOver,
} from "./sign-in.ts";

/** The second step of a sign-in; `step` is what the browser kept from the first. */
type FactorAttempt = FactorInput & { step: string | null; browser: SessionBrowser };

/**
 * Finishes a sign-in whose first step was a password or a provider: see {@link completeSignIn}. Throws `NOT_SIGNED_IN` when that
 * step was too long ago, in another browser, or before the account was changed; `CODE_INVALID` for a wrong or used code,
 * `RATE_LIMITED` after too many, `PASSKEY_REFUSED`, and `SECOND_FACTOR_UNREADABLE`.
 */
export const loginWithFactor = async (ctx: Context, input: FactorAttempt): Promise<SignedIn> => {
  const given = givenIn(input);
  const { browser } = input;
  const step = openStep(ctx, { step: input.step, deviceToken: browser.deviceToken });
  const account = await findAccount(ctx.db, step.userId);
  if (account === null || !isStill(step, account)) throw stepOver();
  // Whoever tries is no one known, even in a browser in which someone is signed in.
  const stranger: Context = { ...ctx, actor: { kind: "visitor" } };
  const giving = { account, given, purpose: "factor" } as const;
  const signedIn = await checkFactor(stranger, giving, (take) =>
    completeSignIn(ctx, { browser, via: step.via, factorAt: ctx.clock.now() }, async (tx) => {
      const held = await holdAccount(tx, account.id);
      if (held === null || !isStill(step, held) || (await hasEndedAt(tx, step, held))) throw stepOver();
      await take(tx, held);
      await forgetSignInFailures(tx, held.emailKey);
      return held;
    }),
  );
  if ("recoveryCode" in given) ctx.mail.wake();
  noteSignIn(ctx, { user: signedIn.user, way: wordsOf(ctx, step.way, given) });
  return signedIn;
};

/** Whether the provider ended its part in a sign-in after the first step. */
const hasEndedAt = async (
  tx: Database,
  { via, expiresAtMs }: ReturnType<typeof openStep>,
  user: UserRow,
): Promise<boolean> => {
  if (via === null) return false;
  const { provider, sid } = via;
  const keys = [
    endedKey({ provider, subject: subjectAt(user, provider), sessionId: null }),
    endedKey({ provider, subject: null, sessionId: sid }),
  ];
  // Both are kept as long as a step lives: the one that began later also ends later.
  return hasEnded(tx, keys, new Date(expiresAtMs));
};

const wordsOf = (ctx: Context, way: StepWay, given: GivenFactor): string =>
  `${way === "password" ? "a password" : providerLabel(ctx, way)} and ${factorOf(given)}`;

const factorOf = (given: GivenFactor): string => {
  if ("ceremony" in given) return "a passkey";
  return "code" in given ? "an authenticator app" : "a recovery code";
};

const givenIn = ({ code, recoveryCode, ceremony, response }: FactorInput): GivenFactor => {
  if (ceremony !== undefined && response !== undefined) return { ceremony, response };
  if (code !== undefined && recoveryCode !== undefined)
    throw validationError([{ path: "recoveryCode", message: authTexts.oneCode }]);
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw validationError([{ path: "code", message: authTexts.codeRequired }]);
};

/** Begins a sign-in with any passkey of this site: nothing tells which accounts have one. */
export const beginPasskeyLogin = (ctx: Context): Promise<BegunCeremony> =>
  beginRequest(ctx, { purpose: "sign-in", userId: null, known: [] });

/** Begins to finish a sign-in with a passkey of the account whose password or provider came first. Throws `NOT_SIGNED_IN`. */
export const beginFactorLogin = async (
  ctx: Context,
  kept: { step: string | null; deviceToken: string | null },
): Promise<BegunCeremony> => {
  const { userId } = openStep(ctx, kept);
  return beginRequest(ctx, { purpose: "factor", userId, known: await listPasskeys(ctx.db, userId) });
};

/**
 * Signs in with a passkey alone, which its authenticator gives only to someone whom it knows: that is both factors. Throws
 * `PASSKEY_REFUSED` for one that is unknown, wrong or blocked, and, until it was given together with it, after a reset of the
 * password.
 */
export const loginWithPasskey = async (
  ctx: Context,
  { browser, ...given }: GivenPasskey & { browser: Browser },
): Promise<SignedIn> => {
  // Whoever tries is no one known, even in a browser in which someone is signed in.
  const stranger: Context = { ...ctx, actor: { kind: "visitor" } };
  try {
    const signedIn = await signIn(stranger, { browser, given });
    noteSignIn(ctx, { user: signedIn.user, way: "a passkey" });
    return signedIn;
  } catch (error) {
    if (error instanceof AppError && error.kind === "PASSKEY_REFUSED")
      noteActivity(stranger, {
        type: "suspicious_activity",
        action: "Failed to sign in with a passkey",
        description: error.message,
        status: "failure",
        severity: "medium",
      });
    throw error;
  }
};

const signIn = async (ctx: Context, { browser, given }: { browser: Browser; given: GivenPasskey }) => {
  const checked = await checkPasskey(ctx, { purpose: "sign-in", userId: null, given });
  const { userId, needsPassword } = checked.passkey;
  return completeSignIn(ctx, { browser, factorAt: ctx.clock.now() }, async (tx) => {
    const account = await holdAccount(tx, userId);
    if (account === null || account.disabledAt !== null) throw unknownPasskey();
    if (needsPassword) throw new AppError("PASSKEY_REFUSED", passkeyTexts.passwordFirst);
    await usePasskey(ctx, tx, checked);
    await forgetSignInFailures(tx, account.emailKey);
    return account;
  });
};
