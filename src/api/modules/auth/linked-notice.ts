import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/db/database.ts";
import { providerLinkedMail } from "#api/modules/mail/index.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { accountLink } from "./mailed-links.ts";

/** Mails the owner of an account, in the transaction that links it, that a provider opens it from now on. */
export const enqueueLinkedNotice = (
  ctx: Context,
  tx: Database,
  { name, email }: { name: string; email: string },
  provider: ProviderName,
): Promise<void> =>
  ctx.mail.enqueue(tx, {
    to: email,
    ...providerLinkedMail({ name, provider: providerLabels[provider], accountLink: accountLink(ctx) }),
  });
