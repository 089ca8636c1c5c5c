import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
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
import type { Browser } from "#api/modules/sessions/index.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { holdAccount } from "./provider-store.ts";
import { completeSignIn, noteSignIn, type SignedIn } from "./sign-in.ts";
import { openStep } from "./sign-in-step.ts";

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
