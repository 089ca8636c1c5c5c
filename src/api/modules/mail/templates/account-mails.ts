import type { Circumstances } from "#api/core/circumstances.ts";
import { roughNetworkOf } from "#api/core/client-network.ts";
import { greeting, type MailText, renderMail } from "./layout.ts";

/**
 * Asks the owner of an address to confirm it; the circumstances are those of the registration. Whoever registered may be a
 * stranger, so their words are not in it. `link` works once, for 24 hours.
 */
export const verificationMail = ({ link, ...circumstances }: Circumstances & { link: string }): MailText =>
  renderMail({
    subject: "Confirm your email address",
    preview: "Confirm your email address, and your account is ready.",
    heading: "Confirm your email address",
    greeting: "Hello,",
    paragraphs: [
      `Someone, hopefully you, signed up for Atrium with this email address ${signUpWords(circumstances)}.`,
      "If it was you, confirm your email address, and your account is ready.",
    ],
    button: { label: "Confirm email address", link },
    notes: [
      "The link works once and expires after 24 hours.",
      "If it wasn't you, ignore this email: no one can use your email address here without this link.",
    ],
    reason: "You get this email because someone signed up with this email address.",
  });

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
      "The address already belongs to your account, so nothing was changed.",
    ],
    button: { label: "Sign in", link: loginLink },
    notes: [
      "If it wasn't you, you don't have to do anything: your account and your password haven't changed.",
    ],
    reason: "You get this email because someone signed up with the email address of your account.",
  });

/** Leads the owner of an account to a new password. `link` works once, for an hour. */
export const resetPasswordMail = ({ name, link }: { name: string; link: string }): MailText =>
  renderMail({
    subject: "Reset your password",
    preview: "Choose a new password for your account.",
    heading: "Reset your password",
    greeting: greeting(name),
    paragraphs: [
      "Someone, perhaps you, asked to reset the password of your account. Choose a new password on the page behind this button.",
    ],
    button: { label: "Reset password", link },
    notes: [
      "The link works once and expires after one hour. Only the newest link works.",
      "If you didn't ask for it, ignore this email: your password stays the same.",
    ],
    reason: "You get this email because someone asked to reset the password for this email address.",
  });

/**
 * A change of password to tell its owner of; `resetLink` leads to the page that asks for another one. `removed` says which
 * ways into the account were removed with it, `null` where none was. `linked` are the labels of the providers that open the
 * account whatever its password is.
 */
type PasswordChange = Circumstances & {
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
    preview: "If it wasn't you, reset your password.",
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
    notes: ["If it was you, you don't have to do anything. If it wasn't, reset your password immediately."],
    reason: "You get this email because the password of your account was changed.",
  });

const stillOpen = (linked: readonly string[], accountLink: string): string =>
  `${inWords(linked)} can still be used to sign in. Unlink all that are not yours on your account page: ${accountLink}`;

/** A sign-in to tell the owner of the account of; `resetLink` leads to the page that asks for a new password. */
type NewDeviceSignIn = Circumstances & { name: string; resetLink: string };

/** Tells the owner of an account that someone signed in with a browser that was not seen before. */
export const newDeviceMail = ({ name, resetLink, ...circumstances }: NewDeviceSignIn): MailText =>
  renderMail({
    subject: "New sign-in to your account",
    preview: "If it wasn't you, reset your password.",
    heading: "New sign-in to your account",
    greeting: greeting(name),
    paragraphs: [
      "Someone, most likely you, signed in to your account from a browser that wasn't used for it before.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Reset password", link: resetLink },
    notes: [
      "If it was you, you don't have to do anything. If it wasn't, reset your password immediately: that signs out every browser.",
    ],
    reason: "You get this email because someone signed in to your account.",
  });

/** A provider that was linked, by its label; `otherWaysIn` is what else opens the account, as a sentence names it. */
type LinkedProvider = {
  name: string;
  provider: string;
  otherWaysIn: readonly string[];
  accountLink: string;
};

/** Tells the owner of an account that it can be signed in to through a provider from now on. */
export const providerLinkedMail = (linked: LinkedProvider): MailText =>
  renderMail({
    subject: `${linked.provider} was linked to your account`,
    preview: `You can now sign in with ${linked.provider}.`,
    heading: `${linked.provider} was linked to your account`,
    greeting: greeting(linked.name),
    paragraphs: [
      `A ${linked.provider} account was linked to your account here. Its owner can now sign in with it.`,
      ...(linked.otherWaysIn.length === 0
        ? []
        : [`Other ways to sign in to your account: ${inWords(linked.otherWaysIn)}.`]),
    ],
    button: { label: "View your account", link: linked.accountLink },
    notes: ["If it wasn't you, unlink it there and change your password."],
    reason: `You get this email because ${linked.provider} was linked to your account.`,
  });

/** A provider that is no way in any more; `provider` is its label, `accountLink` leads to the account's page. */
type UnlinkedProvider = Circumstances & { name: string; provider: string; accountLink: string };

/** Tells the owner of an account that it cannot be signed in to through a provider any more. */
export const providerUnlinkedMail = (unlinked: UnlinkedProvider): MailText => {
  const { name, provider, accountLink, ...circumstances } = unlinked;
  return renderMail({
    subject: `${provider} was unlinked from your account`,
    preview: `${provider} can no longer be used to sign in to your account.`,
    heading: `${provider} was unlinked from your account`,
    greeting: greeting(name),
    paragraphs: [
      `${provider} can no longer be used to sign in to your account.`,
      ...circumstanceLines(circumstances),
    ],
    button: { label: "View your account", link: accountLink },
    notes: [
      "If it was you, you don't have to do anything. If it wasn't, sign out all other devices there and change your password.",
    ],
    reason: `You get this email because ${provider} was unlinked from your account.`,
  });
};

/** A change of an account's second factor; `accountLink` leads to the account's page. */
type FactorChange = Circumstances & { name: string; accountLink: string };

const factorMail = (
  { name, accountLink, ...circumstances }: FactorChange,
  {
    subject,
    preview,
    paragraph,
    reason,
  }: { subject: string; preview: string; paragraph: string; reason: string },
): MailText =>
  renderMail({
    subject,
    preview,
    heading: subject,
    greeting: greeting(name),
    paragraphs: [paragraph, ...circumstanceLines(circumstances)],
    button: { label: "See your account", link: accountLink },
    notes: [
      "If it was you, there is nothing to do. If it wasn't, change your password immediately and sign out all other devices.",
    ],
    reason: `You get this email because ${reason}.`,
  });

/** Tells the owner of an account that an authenticator app was enabled for it. */
export const secondFactorEnabledMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "An authenticator app was enabled",
    preview: "Signing in to your account now takes a code.",
    paragraph:
      "From now on, signing in to your account takes a code of your authenticator app or a recovery code.",
    reason: "an authenticator app was enabled for your account",
  });

/** Tells the owner of an account that it has no second factor anymore. */
export const secondFactorRemovedMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "Your second factor was removed",
    preview: "Signing in to your account no longer takes a code.",
    paragraph:
      "Your authenticator app and your recovery codes were removed. Signing in to your account no longer takes a code.",
    reason: "the second factor of your account was removed",
  });

/** Tells the owner of an account that a recovery code was used; `left` is how many are left. */
export const recoveryCodeUsedMail = ({ left, ...change }: FactorChange & { left: number }): MailText =>
  factorMail(change, {
    subject: "A recovery code was used",
    preview: leftWords(left),
    paragraph: `Someone signed in to your account with one of your recovery codes. ${leftWords(left)}`,
    reason: "a recovery code of your account was used",
  });

const leftWords = (left: number): string => {
  if (left === 0) return "It was the last one. Create new recovery codes in your account.";
  const words = left === 1 ? "One is left." : `${left} are left.`;
  return left > 3 ? words : `${words} Create new recovery codes in your account.`;
};

/** Tells the owner of an account that its recovery codes were replaced. */
export const recoveryCodesRenewedMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "Your recovery codes were replaced",
    preview: "The old ones no longer work.",
    paragraph: "New recovery codes were created for your account. The old ones no longer work.",
    reason: "the recovery codes of your account were replaced",
  });

/** An account that is gone; `contactLink` leads to the page where its owner can write to whoever runs the site. */
type DeletedAccount = Circumstances & { name: string; contactLink: string };

/** Tells who had an account that it was deleted. */
export const accountDeletedMail = ({ name, contactLink, ...circumstances }: DeletedAccount): MailText =>
  renderMail({
    subject: "Your account was deleted",
    preview: "This can't be undone.",
    heading: "Your account was deleted",
    greeting: greeting(name),
    paragraphs: [
      "Your account was deleted, with everything that belonged to it. This can't be undone.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Contact us", link: contactLink },
    notes: ["If it was you, you don't have to do anything. If it wasn't, please contact us."],
    reason: "You get this email because the account with this email address was deleted.",
  });

// In UTC, and said so: no one knows in which zone an email is read.
const inUtc = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

/**
 * When, with what and from where a registration was made: for the owner of an address, who may be someone else. Nothing
 * that was typed is in it.
 */
const signUpWords = ({ at, ip, device }: Circumstances): string =>
  `on ${new Intl.DateTimeFormat("en-GB", inUtc).format(at)} UTC, from ${device}, network ${roughNetworkOf(ip)}`;

/** When, from where and with what, a line for each. */
export const circumstanceLines = ({ at, ip, device }: Circumstances): string[] => [
  // Made for each email: the first one made costs a start more time than reading a module does.
  `Time: ${new Intl.DateTimeFormat("en-GB", inUtc).format(at)} UTC`,
  `IP address: ${ip}`,
  `Device: ${device}`,
];

/** Names in a row as a sentence has them: "Google and GitHub". */
const inWords = (names: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(names);
