import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** Asks whoever registered to prove that the address is theirs. `link` works once, for 24 hours. */
export const verificationMail = ({ name, link }: { name: string; link: string }): MailText =>
  renderMail({
    subject: "Verify your email address",
    preview: "One click, and your account is ready.",
    heading: "Verify your email address",
    greeting: greeting(name),
    paragraphs: [
      "Thank you for registering. Please confirm that this address is yours, and your account is ready.",
    ],
    button: { label: "Verify email address", link },
    notes: [
      "The link works once and for 24 hours.",
      "If you did not register, do nothing: without the link no account is made.",
    ],
    reason: "You get this mail because somebody registered with this email address.",
  });
