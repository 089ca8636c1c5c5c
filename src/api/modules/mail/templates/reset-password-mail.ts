import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** Leads the owner of an account to a new password. `link` works once, for an hour. */
export const resetPasswordMail = ({ name, link }: { name: string; link: string }): MailText =>
  renderMail({
    subject: "Reset your password",
    preview: "Choose a new password for your account.",
    heading: "Reset your password",
    greeting: greeting(name),
    paragraphs: [
      "Somebody, perhaps you, asked for a new password for your account. Please choose one on the page behind this button.",
    ],
    button: { label: "Reset password", link },
    notes: [
      "The link works once and for one hour. A newer one ends it.",
      "If you did not ask for it, do nothing: your password stays as it is.",
    ],
    reason: "You get this mail because somebody asked for a new password for this email address.",
  });
