import { greeting } from "./greeting.ts";
import { inWords } from "./in-words.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A provider that was linked, by its label; `otherWaysIn` is what else opens the account, as a sentence names it. */
export type LinkedProvider = {
  name: string;
  provider: string;
  otherWaysIn: readonly string[];
  accountLink: string;
};

/** Tells the owner of an account that it can be signed in to through a provider from now on. */
export const providerLinkedMail = (linked: LinkedProvider): MailText =>
  renderMail({
    subject: `${linked.provider} was linked to your account`,
    preview: `You can sign in with ${linked.provider} from now on.`,
    heading: `${linked.provider} was linked to your account`,
    greeting: greeting(linked.name),
    paragraphs: [
      `A ${linked.provider} account was linked to your account here. Whoever it belongs to can sign in with it from now on.`,
      ...(linked.otherWaysIn.length === 0 ? [] : [`What else opens it: ${inWords(linked.otherWaysIn)}.`]),
    ],
    button: { label: "See your account", link: linked.accountLink },
    notes: ["If it was not you, unlink it there and change your password."],
    reason: `You get this mail because ${linked.provider} was linked to your account.`,
  });
