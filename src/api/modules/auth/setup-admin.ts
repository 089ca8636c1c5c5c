import { factOf } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import type { Browser } from "#api/modules/sessions/index.ts";
import { hasUsers, insertUser, removePendingRegistrations } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { SetupInput } from "./contract.ts";
import { completeSignIn, type SignedIn } from "./sign-in.ts";
import { isSetupTokenValid, replaceSetupToken, takeSetupToken } from "./store.ts";

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
