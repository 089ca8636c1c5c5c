import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** Tells the owner of an account that it can be signed in to through a provider from now on; `provider` is its label. */
export const providerLinkedMail = (linked: {
  name: string;
  provider: string;
  accountLink: string;
}): MailText =>
  renderMail({
    subject: `${linked.provider} was linked to your account`,
    preview: `You can sign in with ${linked.provider} from now on.`,
    heading: `${linked.provider} was linked to your account`,
    greeting: greeting(linked.name),
    paragraphs: [
      `A ${linked.provider} account was linked to your account here. Whoever it belongs to can sign in with it from now on.`,
    ],
    button: { label: "See your account", link: linked.accountLink },
    notes: ["If it was not you, unlink it there and change your password."],
    reason: `You get this mail because ${linked.provider} was linked to your account.`,
  });
