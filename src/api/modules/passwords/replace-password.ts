import { accountLink } from "#api/core/account-link.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { linkedProviders } from "#api/core/linked-providers.ts";
import type { Database } from "#api/db/database.ts";
import { passwordChangedMail } from "#api/modules/mail/index.ts";
import { endSessionsOf, forgetDevices } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { providerLabels } from "#contract/users.ts";
import { forgetSignInFailures } from "./failure-store.ts";
import { forgotPasswordLink } from "./password-links.ts";
import { savePasswordHash } from "./password-store.ts";
import { removeResetTokens } from "./reset-store.ts";

/** Whose password becomes another one. The session and the device with the hashes that are given stay. */
export type PasswordReplacement = {
  user: Pick<UserRow, "id" | "name" | "email" | "emailKey">;
  passwordHash: string;
  keptSession?: string | null;
  keptDevice?: string | null;
};

/**
 * Gives a user a new password in the caller's transaction: sessions end, known browsers are forgotten, reset links and
 * the row of wrong passwords end, and a notice that names the linked providers goes to the stored address. After the
 * commit publish `sessions-ended` and call `ctx.mail.wake`.
 */
export const replacePassword = async (
  ctx: Context,
  tx: Database,
  { user, passwordHash, keptSession = null, keptDevice = null }: PasswordReplacement,
): Promise<void> => {
  const stored = await savePasswordHash(tx, user.id, { passwordHash, now: ctx.clock.now() });
  await endSessionsOf(tx, user.id, { except: keptSession });
  await forgetDevices(tx, user.id, { except: keptDevice });
  await removeResetTokens(tx, user.id);
  await forgetSignInFailures(tx, user.emailKey);
  const notice = {
    name: user.name,
    resetLink: forgotPasswordLink(ctx),
    // As of now: one may have been linked since the user was read.
    linked: linkedProviders(stored).map((provider) => providerLabels[provider]),
    accountLink: accountLink(ctx),
    ...circumstancesOf(ctx),
  };
  await ctx.mail.enqueue(tx, { to: user.email, ...passwordChangedMail(notice) });
};
