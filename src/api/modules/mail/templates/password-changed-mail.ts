import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./circumstance-lines.ts";
import { greeting } from "./greeting.ts";
import { inWords } from "./in-words.ts";
import { type MailText, renderMail } from "./layout.ts";

/**
 * A change of password to tell its owner of; `resetLink` leads to the page that asks for another one. `removed` says which
 * ways into the account were removed with it, `null` where none was. `linked` are the labels of the providers that open the
 * account whatever its password is.
 */
export type PasswordChange = Circumstances & {
  name: string;
  resetLink: string;
  removed: string | null;
  linked: readonly string[];
  accountLink: string;
};

/** Tells the owner of an account that its password is another one now. */
export const passwordChangedMail = ({
  name,
  resetLink,
  removed,
  linked,
  accountLink,
  ...circumstances
}: PasswordChange): MailText =>
  renderMail({
    subject: "Your password was changed",
    preview: "If it was not you, please reset your password.",
    heading: "Your password was changed",
    greeting: greeting(name),
    paragraphs: [
      removed === null
        ? "The password of your account was changed, and other browsers were signed out."
        : `Your password was changed. ${removed} Other browsers were signed out.`,
      ...circumstanceLines(circumstances),
      ...(linked.length === 0 ? [] : [stillOpen(linked, accountLink)]),
    ],
    button: { label: "Reset password", link: resetLink },
    notes: ["If it was you, there is nothing to do. If it was not, please reset your password at once."],
    reason: "You get this mail because the password of your account was changed.",
  });

const stillOpen = (linked: readonly string[], accountLink: string): string =>
  `${inWords(linked)} can still open it. Unlink what is not yours on your account page: ${accountLink}`;
