import { type Circumstances, roughNetworkOf } from "#api/core/circumstances.ts";
import { limits } from "#contract/limits.ts";
import type { Role } from "#contract/users.ts";
import { greeting, type MailText, renderMail, shownName, siteName } from "./layout.ts";

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
      `Someone, hopefully you, signed up for ${siteName} with this email address ${signUpWords(circumstances)}.`,
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

/** An invitation; `inviter` is the administrator's name, `null` for the operator's, `note` are the inviter's own words. */
type InvitationLetter = {
  name: string;
  inviter: string | null;
  note: string | null;
  role: Role;
  expiresAt: Date;
  link: string;
};

/** Invites the owner of an address to create an account. `link` works once. */
export const invitationMail = ({
  name,
  inviter,
  note,
  role,
  expiresAt,
  link,
}: InvitationLetter): MailText => {
  const who = shownName(inviter ?? "") ?? "An administrator";
  const words = role === "admin" ? "as an administrator" : "to create an account";
  const until = new Intl.DateTimeFormat("en-GB", inUtc).format(expiresAt);
  return renderMail({
    subject: `You are invited to ${siteName}`,
    preview: `${who} invited you ${words}.`,
    heading: `You are invited to ${siteName}`,
    greeting: greeting(name),
    paragraphs: [`${who} invited you to ${siteName} ${words} with this email address.`],
    ...(note === null ? {} : { quote: note }),
    button: { label: "Accept invitation", link },
    notes: [
      `The link works once and expires on ${until} UTC.`,
      "If you don't want an account, ignore this email: none is created without you.",
    ],
    reason: "You get this email because an administrator of this site invited this email address.",
  });
};

/** Leads the owner of an account to a new password. `link` works once, for an hour. */
export const resetPasswordMail = ({ name, link }: { name: string; link: string }): MailText =>
  renderMail({
    subject: "Reset your password",
    preview: "Choose a new password for your account.",
    heading: "Reset your password",
    greeting: greeting(name),
    paragraphs: [
      "Someone, perhaps you, asked to reset the password of your account. Use this button to choose a new one.",
    ],
    button: { label: "Reset password", link },
    notes: [
      "The link works once and expires after one hour. Only the newest link works.",
      "If you didn't ask for it, ignore this email: your password stays the same.",
    ],
    reason: "You get this email because someone asked to reset the password for this email address.",
  });

/**
 * Leads someone whose registration an administrator verified to a password. `link` works once, for an hour. Whoever registered may be a
 * stranger, so their name is not in it.
 */
export const accountOpenedMail = ({ link }: { link: string }): MailText =>
  renderMail({
    subject: "Your account is ready",
    preview: "Choose a password to sign in.",
    heading: "Your account is ready",
    greeting: "Hello,",
    paragraphs: [
      "An administrator verified the registration of this email address. Choose a password to sign in. You can use the one that you entered when you signed up.",
    ],
    button: { label: "Choose a password", link },
    notes: [
      "The link works once and expires after one hour. After that, ask for another one with “Forgot password?” on the sign-in page.",
      "If you didn't sign up, ignore this email: no one can sign in without a password from this link.",
    ],
    reason: "You get this email because someone signed up with this email address.",
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
  `${inWords(linked)} can still be used to sign in. Unlink any that are not yours on your account page: ${accountLink}`;

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
      "Someone, most likely you, signed in to your account from a browser you haven't used before.",
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
  link: string;
};

/** Tells the owner of an account that it can be signed in to through a provider from now on. */
export const providerLinkedMail = (linked: LinkedProvider): MailText =>
  renderMail({
    subject: `${linked.provider} was linked to your account`,
    preview: `You can now sign in with ${linked.provider}.`,
    heading: `${linked.provider} was linked to your account`,
    greeting: greeting(linked.name),
    paragraphs: [
      `You can now sign in with ${linked.provider}, and so can anyone who has access to your account there.`,
      ...(linked.otherWaysIn.length === 0
        ? []
        : [`Other ways to sign in to your account: ${inWords(linked.otherWaysIn)}.`]),
    ],
    button: { label: `Unlink ${linked.provider}`, link: linked.link },
    notes: [
      "If it was you, you don't have to do anything.",
      "If it wasn't, unlink it within 7 days: everyone is signed out. Then change your password.",
    ],
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

/** When something was done; from where and with what only if its reader may know. */
type KnownCircumstances = Pick<Circumstances, "at"> & Partial<Circumstances>;

/** A change of an account's second factor; `accountLink` leads to the account's page. */
type FactorChange = KnownCircumstances & { name: string; accountLink: string };

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
    button: { label: "View your account", link: accountLink },
    notes: [
      "If it was you, you don't have to do anything. If it wasn't, change your password immediately and sign out all other devices.",
    ],
    reason: `You get this email because ${reason}.`,
  });

/** Tells the owner of an account that an authenticator app was enabled for it. */
export const secondFactorEnabledMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "An authenticator app was set up",
    preview: "Two-factor authentication is on.",
    paragraph:
      "Two-factor authentication is on: signing in to your account now takes a code from your authenticator app or a recovery code.",
    reason: "an authenticator app was set up for your account",
  });

/** Tells the owner of an account that it has no second factor anymore. */
export const secondFactorRemovedMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "Two-factor authentication was turned off",
    preview: onlyOneStep,
    paragraph: `Your account has no authenticator app, passkey or recovery code anymore. ${onlyOneStep}`,
    reason: "two-factor authentication was turned off for your account",
  });

const onlyOneStep = "Signing in to your account no longer takes a second step.";

/** Tells the owner of an account, which has passkeys, that its authenticator app was removed. */
export const authenticatorRemovedMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "Your authenticator app was removed",
    preview: "Its codes no longer work.",
    paragraph: "Its codes no longer work. Signing in to your account takes a passkey or a recovery code.",
    reason: "the authenticator app of your account was removed",
  });

/** A change of one of an account's passkeys, by the name that its owner gave it. */
type PasskeyChange = FactorChange & { passkeyName: string };

/** Tells the owner of an account that a passkey was added to it. */
export const passkeyAddedMail = ({ passkeyName, ...change }: PasskeyChange): MailText =>
  factorMail(change, {
    subject: "A passkey was added to your account",
    preview: "It can be used to sign in to your account.",
    paragraph: `The passkey “${passkeyName}” can now be used to sign in to your account.`,
    reason: "a passkey was added to your account",
  });

/** Tells the owner of an account that one of its passkeys was removed, and whether no second factor is left. */
export const passkeyRemovedMail = ({
  passkeyName,
  isLastFactor,
  ...change
}: PasskeyChange & { isLastFactor: boolean }): MailText =>
  factorMail(change, {
    subject: "A passkey was removed from your account",
    preview: "It can no longer be used to sign in to your account.",
    paragraph: `The passkey “${passkeyName}” can no longer be used to sign in to your account.${isLastFactor ? ` ${onlyOneStep}` : ""}`,
    reason: "a passkey was removed from your account",
  });

/** Tells the owner of an account that someone may have a copy of one of its passkeys, which is blocked. */
export const passkeySuspectMail = ({ passkeyName, ...change }: PasskeyChange): MailText =>
  factorMail(change, {
    subject: "A passkey of your account was blocked",
    preview: "Someone may have a copy of it.",
    paragraph: `Someone tried to use the passkey “${passkeyName}”, or a copy of it: it counted fewer uses than before. It no longer works. Sign in another way, such as with a recovery code, add a new passkey in your account, then remove this one.`,
    reason: "a passkey of your account was blocked",
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
export const circumstanceLines = ({ at, ip, device }: KnownCircumstances): string[] => [
  // Made for each email: the first one made costs a start more time than reading a module does.
  `Time: ${new Intl.DateTimeFormat("en-GB", inUtc).format(at)} UTC`,
  ...(ip === undefined ? [] : [`IP address: ${ip}`]),
  ...(device === undefined ? [] : [`Device: ${device}`]),
];

/** Names in a row as a sentence has them: "Google and GitHub". */
const inWords = (names: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(names);

/** Tells a user that they have another role; `accountLink` leads to the account's page. */
export const roleChangedMail = ({
  name,
  role,
  accountLink,
  at,
}: Pick<Circumstances, "at"> & { name: string; role: Role; accountLink: string }): MailText => {
  const subject = role === "admin" ? "You are now an administrator" : "You are no longer an administrator";
  return renderMail({
    subject,
    preview: "You were signed out everywhere.",
    heading: subject,
    greeting: greeting(name),
    paragraphs: [
      "The role of your account was changed, and you were signed out everywhere. To continue, sign in again.",
      ...circumstanceLines({ at }),
    ],
    button: { label: "View your account", link: accountLink },
    notes: ["If you didn't expect this, ask an administrator."],
    reason: "You get this email because the role of your account was changed.",
  });
};

/** Tells the owner of an account that someone in one of its sessions can't confirm that it's them. */
export const confirmationsFailedMail = (change: FactorChange): MailText =>
  factorMail(change, {
    subject: "Failed attempts to confirm your identity",
    preview: `A wrong password, code or passkey was given ${limits.confirmFailures} times in a row.`,
    paragraph: `In one of your sessions, a wrong password, code or passkey was given ${limits.confirmFailures} times in a row to confirm that it's you. The session is still signed in.`,
    reason: "someone signed in to your account failed to confirm that it's you",
  });

/** Tells an administrator that the password that they have just signed in with is known from a data breach. */
export const passwordBreachedMail = ({
  name,
  resetLink,
  at,
}: Pick<Circumstances, "at"> & { name: string; resetLink: string }): MailText =>
  renderMail({
    subject: "Your password has appeared in a data breach",
    preview: "Choose another password.",
    heading: "Choose another password",
    greeting: greeting(name),
    paragraphs: [
      "The password that you signed in with is in a list of passwords from data breaches. Anyone who has the list can try it, so choose another one, here and wherever else you use it.",
      ...circumstanceLines({ at }),
    ],
    button: { label: "Choose a new password", link: resetLink },
    notes: ["You can also change it on your account page."],
    reason: "You get this email because you are an administrator and signed in with that password.",
  });
