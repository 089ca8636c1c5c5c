import { providerLabel, subjectAt } from "#api/core/actor.ts";
import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { forgetSignInFailures } from "#api/modules/passwords/index.ts";
import { checkFactor, type GivenFactor } from "#api/modules/second-factors/index.ts";
import type { Browser as SessionBrowser } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { FactorInput } from "./contract.ts";
import { endedKey, findAccount, hasEnded, holdAccount } from "./provider-store.ts";
import { completeSignIn, noteSignIn, type SignedIn } from "./sign-in.ts";
import { isStill, openStep, type StepWay, stepOver } from "./sign-in-step.ts";

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
