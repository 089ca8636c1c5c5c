import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { forgetSignInFailures } from "#api/modules/passwords/index.ts";
import { checkFactor, type GivenFactor, takeFactor } from "#api/modules/second-factors/index.ts";
import type { Browser as SessionBrowser } from "#api/modules/sessions/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { providerLabels } from "#contract/users.ts";
import type { FactorInput } from "./contract.ts";
import { findAccount, holdAccount } from "./provider-store.ts";
import { completeSignIn, noteSignIn, type SignedIn } from "./sign-in.ts";
import { isStill, openStep, type StepWay, stepOver } from "./sign-in-step.ts";

/** The second step of a sign-in; `step` is what the browser kept from the first. */
type FactorAttempt = FactorInput & { step: string | null; browser: SessionBrowser };

/**
 * Finishes a sign-in whose first step was a password or a provider: see {@link completeSignIn}. Throws `NOT_SIGNED_IN` when that
 * step was too long ago, in another browser, or before the account was changed; `CODE_INVALID` for a wrong or used code,
 * `RATE_LIMITED` after too many, and `SECOND_FACTOR_UNREADABLE`.
 */
export const loginWithFactor = async (ctx: Context, input: FactorAttempt): Promise<SignedIn> => {
  const given = givenIn(input);
  const { browser } = input;
  const step = openStep(ctx, { step: input.step, deviceToken: browser.deviceToken });
  const account = await findAccount(ctx.db, step.userId);
  if (account === null || !isStill(step, account)) throw stepOver();
  // Whoever tries is no one known, even in a browser in which someone is signed in.
  const stranger: Context = { ...ctx, actor: { kind: "visitor" } };
  const signIn = () => {
    const way = { browser, way: step.way, factorAt: ctx.clock.now() };
    return completeSignIn(ctx, way, async (tx) => {
      const held = await holdAccount(tx, account.id);
      if (held === null || !isStill(step, held)) throw stepOver();
      await takeFactor(ctx, tx, { account: held, given });
      await forgetSignInFailures(tx, held.emailKey);
      return held;
    });
  };
  const signedIn = await checkFactor(stranger, { account, given }, signIn);
  if ("recoveryCode" in given) ctx.mail.wake();
  noteSignIn(ctx, { user: signedIn.user, way: wordsOf(step.way, given) });
  return signedIn;
};

const wordsOf = (way: StepWay, given: GivenFactor): string =>
  `${way === "password" ? "a password" : providerLabels[way]} and ${"code" in given ? "an authenticator app" : "a recovery code"}`;

const givenIn = ({ code, recoveryCode }: FactorInput): GivenFactor => {
  if (code !== undefined && recoveryCode !== undefined)
    throw validationError([{ path: "recoveryCode", message: authTexts.oneCode }]);
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw validationError([{ path: "code", message: authTexts.codeRequired }]);
};
