import type { Circumstances } from "#api/core/circumstances.ts";
import { type MailText, renderMail } from "./layout.ts";
import { signUpWords } from "./sign-up-words.ts";

/**
 * Asks the owner of an address to confirm it; the circumstances are those of the registration. Whoever registered may be a
 * stranger, so their words are not in it. `link` works once, for 24 hours.
 */
export const verificationMail = ({ link, ...circumstances }: Circumstances & { link: string }): MailText =>
  renderMail({
    subject: "Confirm your email address",
    preview: "One click, and your account is ready.",
    heading: "Confirm your email address",
    greeting: "Hello,",
    paragraphs: [
      `Someone, hopefully you, signed up for Atrium with this email address ${signUpWords(circumstances)}.`,
      "If it was you, confirm your email address, and your account is ready.",
    ],
    button: { label: "Confirm email address", link },
    notes: [
      "The link works once and for 24 hours.",
      "If it wasn't you, ignore this email: no one can use your email address here without this link.",
    ],
    reason: "You get this email because someone signed up with this email address.",
  });
