import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./account-mails.ts";
import { greeting, type MailText, renderMail, siteName } from "./layout.ts";

/** Asks the owner of an address to confirm that an account is to have it. `link` works once. */
export const confirmNewEmailMail = ({
  link,
  needsApproval,
}: {
  link: string;
  needsApproval: boolean;
}): MailText =>
  renderMail({
    subject: "Confirm your new email address",
    preview: "Your account gets this email address once you confirm it.",
    heading: "Confirm your new email address",
    greeting: "Hello,",
    paragraphs: [
      needsApproval
        ? `An account at ${siteName} is to get this email address. This is step 1 of 2: confirm it here, and approve it in the email that we sent to the current address.`
        : `An account at ${siteName} is to get this email address. It changes once you confirm it.`,
    ],
    button: { label: "Confirm email address", link },
    notes: [
      `The link works once and expires after ${needsApproval ? "7 days" : "24 hours"}.`,
      "If it wasn't you, ignore this email: no account gets your address without this link.",
    ],
    reason: "You get this email because someone wants to use this email address for their account.",
  });

/** Tells the owner of an account that someone wants its address for another account. */
export const addressWantedMail = ({
  name,
  loginLink,
  ...circumstances
}: Circumstances & { name: string; loginLink: string }): MailText =>
  renderMail({
    subject: "Someone tried to use your email address",
    preview: "Nothing was changed.",
    heading: "Someone tried to use your email address",
    greeting: greeting(name),
    paragraphs: [
      "Someone, perhaps you, tried to change the email address of another account to yours. Nothing was changed.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Sign in", link: loginLink },
    notes: ["You don't have to do anything: an email address belongs to one account only."],
    reason: "You get this email because someone tried to use the email address of your account.",
  });

/** A change that waits; `link` leads to where it can be stopped and, if that is needed, approved. */
type WaitingChange = Circumstances & {
  name: string;
  newEmail: string;
  link: string;
  needsApproval: boolean;
};

/** Tells the owner of an account at its present address that it is to change. */
export const emailChangeMail = ({
  name,
  newEmail,
  link,
  needsApproval,
  ...circumstances
}: WaitingChange): MailText =>
  renderMail({
    subject: needsApproval ? "Approve your new email address" : "Your email address is about to change",
    preview: "If it wasn't you, stop the change.",
    heading: needsApproval ? "Approve your new email address" : "Your email address is about to change",
    greeting: greeting(name),
    paragraphs: [
      needsApproval
        ? `The email address of your account is to change to ${masked(newEmail)}. This is step 2 of 2: approve it here, and confirm it in the email that we sent to the new address.`
        : `The email address of your account is to change to ${masked(newEmail)}. It changes once that address is confirmed.`,
      ...circumstanceLines(circumstances),
    ],
    button: { label: needsApproval ? "Approve or stop the change" : "Stop the change", link },
    notes: [
      "If it wasn't you, stop the change and change your password immediately: someone is signed in to your account.",
    ],
    reason: "You get this email because the email address of your account is to change.",
  });

/** A change that was made; `link` undoes it. */
type MadeChange = Circumstances & { name: string; newEmail: string; link: string };

/** Tells the owner of an account at its former address that the address changed. `link` works once, for 7 days. */
export const emailChangedMail = ({ name, newEmail, link, ...circumstances }: MadeChange): MailText =>
  renderMail({
    subject: "Your email address was changed",
    preview: "If it wasn't you, undo the change.",
    heading: "Your email address was changed",
    greeting: greeting(name),
    paragraphs: [
      `The email address of your account is ${masked(newEmail)} now. Other devices were signed out.`,
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Undo the change", link },
    notes: [
      "If it was you, you don't have to do anything.",
      "If it wasn't, undo the change within 7 days: you get this address back, everyone is signed out, and you choose a new password. Sign-in methods, authenticator apps, passkeys and recovery codes are removed if they were added after the change or in the three days before it was requested.",
    ],
    reason: "You get this email because it was the email address of your account.",
  });

/** An address that its owner recognizes and no one else can read: `n***@b.example`. */
const masked = (email: string): string => `${[...email][0] ?? ""}***${email.slice(email.lastIndexOf("@"))}`;
