import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** Tells the owner of an account that somebody registered with its address again; `name` is the account's. */
export const addressTakenMail = ({ name, loginLink }: { name: string; loginLink: string }): MailText =>
  renderMail({
    subject: "You already have an account",
    preview: "Somebody registered with your email address again.",
    heading: "You already have an account",
    greeting: greeting(name),
    paragraphs: [
      "Somebody, perhaps you, just registered with this email address. It belongs to your account already, so nothing was changed.",
    ],
    button: { label: "Sign in", link: loginLink },
    notes: ["If it was not you, there is nothing to do: your account and your password are as they were."],
    reason: "You get this mail because somebody registered with the email address of your account.",
  });
