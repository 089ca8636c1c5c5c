import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./circumstance-lines.ts";
import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A provider that is no way in any more; `provider` is its label, `accountLink` leads to the account's page. */
export type UnlinkedProvider = Circumstances & { name: string; provider: string; accountLink: string };

/** Tells the owner of an account that it cannot be signed in to through a provider any more. */
export const providerUnlinkedMail = (unlinked: UnlinkedProvider): MailText => {
  const { name, provider, accountLink, ...circumstances } = unlinked;
  return renderMail({
    subject: `${provider} was unlinked from your account`,
    preview: `${provider} does not open your account any more.`,
    heading: `${provider} was unlinked from your account`,
    greeting: greeting(name),
    paragraphs: [
      `From now on, nobody can sign in to your account with ${provider}.`,
      ...circumstanceLines(circumstances),
    ],
    button: { label: "See your account", link: accountLink },
    notes: [
      "If it was you, there is nothing to do. If it was not, sign out all other devices there and change your password.",
    ],
    reason: `You get this mail because ${provider} was unlinked from your account.`,
  });
};
