import { accountLink, linkedProviders } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { providerLinkedMail } from "#api/modules/mail/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";

/** Mails the owner of an account, in the transaction that links it, that a provider opens it from now on. */
export const enqueueLinkedNotice = (
  ctx: Context,
  tx: Database,
  account: UserRow,
  provider: ProviderName,
): Promise<void> => {
  const notice = {
    name: account.name,
    provider: providerLabels[provider],
    otherWaysIn: otherWaysIn(account, provider),
    accountLink: accountLink(ctx),
  };
  return ctx.mail.enqueue(tx, { to: account.email, ...providerLinkedMail(notice) });
};

const otherWaysIn = (account: UserRow, added: ProviderName): string[] => {
  const others = linkedProviders(account).filter((name) => name !== added);
  const password = account.passwordHash === null ? [] : ["your password"];
  return [...password, ...others.map((name) => providerLabels[name])];
};
