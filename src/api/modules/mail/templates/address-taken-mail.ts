import type { Circumstances } from "#api/core/circumstances.ts";
import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";
import { signUpWords } from "./sign-up-words.ts";

/** Tells the owner of an account that someone registered with its address again; `name` is the account's. */
export const addressTakenMail = ({
  name,
  loginLink,
  ...circumstances
}: Circumstances & { name: string; loginLink: string }): MailText =>
  renderMail({
    subject: "You already have an account",
    preview: "Someone signed up with your email address again.",
    heading: "You already have an account",
    greeting: greeting(name),
    paragraphs: [
      `Someone, perhaps you, signed up with this email address ${signUpWords(circumstances)}.`,
      "It belongs to your account already, so nothing was changed.",
    ],
    button: { label: "Sign in", link: loginLink },
    notes: ["If it wasn't you, there is nothing to do: your account and your password are as they were."],
    reason: "You get this email because someone signed up with the email address of your account.",
  });
