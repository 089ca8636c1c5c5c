import { securityPage } from "#contract/page-paths.ts";

/** Words of the user's dashboard. */
export const dashboardTexts = {
  title: "Dashboard",
  lead: "Your account at a glance.",
  method: "Sign-in method",
  role: "Role",
  since: "Member since",
  roles: { admin: "Administrator", user: "User" },
  adminTitle: "You administer this server",
  adminText: "See its health, its users and what needs attention.",
  adminLink: "Open the admin area",
  avatar: "Avatar",
  logout: "Logout",
} as const;

/** The pages of the account settings, and what is found there. */
export const accountPlaces = [
  { href: "/account", label: "Profile", note: "Your name and email address" },
  {
    href: securityPage,
    label: "Security",
    note: "Password, sign-in methods, passkeys and two-factor authentication",
  },
  { href: "/account/sessions", label: "Sessions", note: "The devices you are signed in on" },
  {
    href: "/account/data",
    label: "Your data",
    note: "Download what is stored about you, or delete your account",
  },
] as const;

/** Words of the account section that the server does not share; its sentences are in `contract/account-texts.ts`. */
export const accountScreenTexts = {
  tryAgain: "Try again",
  loadFailed: "Part of this page could not be loaded",
  loadFailedText: "The server sent an unexpected response. Please try again.",
  outdated: "This could not be loaded again and may be out of date.",
  settings: "Account settings",
  profile: "Profile",
  security: "Security",
  nameTitle: "Name",
  nameLead: "Your name as others see it.",
  name: "Full Name",
  saveName: "Save name",
  nameUnsaved: "Your new name has not been saved and will be lost.",
  nameFailed: "Your name could not be changed. Please try again.",
  password: "Password",
  passwordLead: "Changing your password signs you out on every other device.",
  currentPassword: "Current Password",
  newPassword: "New Password",
  confirmPassword: "Confirm New Password",
  changePassword: "Change password",
  passwordFailed: "Your password could not be changed. Please try again.",
  noPassword: (email: string) =>
    `Your account has no password yet. We can email a link to ${email} so you can set one. It expires in one hour.`,
  mailLink: "Email me a link to set one",
  methods: "Sign-in methods",
  methodsLead: "How you sign in to your account. Keep at least two, so that losing one doesn't lock you out.",
  emailMethod: "Email & password",
  noPasswordYet: "Your account has no password yet.",
  inUse: "In use",
  notSet: "Not set",
  linked: "Linked",
  notLinked: "Not linked",
  canSignIn: (label: string) => `You can sign in with ${label}.`,
  couldSignIn: (label: string) => `Link your ${label} account to sign in with it.`,
  notConfigured: (label: string) => `${label} sign-in is not configured on this server.`,
  linkedButMissing: (label: string) => `${label} sign-in is currently not configured on this server.`,
  lastWayIn: "This is your only sign-in method. Set a password or link another account first.",
  link: "Link",
  linkName: (label: string) => `Link ${label}`,
  linkTitle: (label: string) => `Link ${label}?`,
  linkLead: (label: string) =>
    `Next, choose an account on ${label}. Anyone with access to it can sign in here as you until you unlink it.`,
  linkWithoutPassword:
    "Your account has no password to confirm this with, so you must have signed in within the last 10 minutes.",
  linkConfirm: (label: string) => `Continue to ${label}`,
  linkFailed: "Linking failed. Please try again.",
  unlink: "Unlink",
  unlinkName: (label: string) => `Unlink ${label}`,
  unlinkTitle: (label: string) => `Unlink ${label}?`,
  unlinkQuestion: (label: string) =>
    `You won't be able to sign in with ${label} anymore. Your other sign-in methods keep working.`,
  unlinkFailed: "Unlinking failed. Please try again.",
  linkDone: (label: string) => `${label} is linked to your account.`,
  theProvider: "The provider",
  linkRefused: "This account is already linked to another user, or the provider refused.",
  notConfirmed:
    "The provider didn't say that you signed in there just now, so nothing was confirmed. Some providers never say it: use another way, or sign out and sign in again.",
  sessions: "Sessions",
  devices: "Signed-in devices",
  sessionsLead: "The devices you are signed in on. Sign out any device you don't recognize or no longer use.",
  thisDevice: "This device",
  inUseNow: "active now",
  signedInAt: (moment: string) => `Signed in ${moment}`,
  lastUsed: (when: string) => `last used ${when}`,
  end: "Sign out",
  endName: (device: string) => `Sign out ${device}`,
  endedAlready: "This device was already signed out.",
  endFailed: "Signing out failed. Please try again.",
  endOthers: "Sign out everywhere else",
  endOthersTitle: "Sign out everywhere else?",
  endOthersQuestion: "You will have to sign in again in every browser except this one.",
  endOthersConfirm: "Sign out other sessions",
  data: "Your data",
  dataFileTitle: "Download your data",
  dataLead: "The data this server stores with your account, as a file that other programs can read.",
  dataLess:
    "The activity log, which also holds your email address, isn't included because it covers other users too.",
  dataAsk: "Ask the operator of this site about it",
  dataFile: "account.json",
  download: "Download JSON",
  dataFailed: "The download failed. Please try again.",
  delete: "Delete account",
  deleteLead: "Your account is deleted immediately. This can't be undone.",
  deleteOpen: "Delete account…",
  deleteTitle: "Delete your account?",
  youLose: "You will lose:",
  lost: (hasPassword: boolean) => [
    hasPassword ? "your name, email address and password" : "your name and email address",
    "the links to your other sign-in methods",
    "every session: all your devices are signed out",
  ],
  messagesStay:
    "Messages you sent through the contact form are kept, with the email address you gave there. So is the activity log.",
  yourPassword: "Your Password",
  typeEmail: "Type your email address to confirm",
  emailDiffers: "This is not your account's email address",
  deleteConfirm: "Delete my account",
  deleteFailed: "Your account could not be deleted. Please try again.",
  lastAdmin:
    "You are the only administrator, so your account cannot be deleted. Make someone else an administrator first.",
} as const;

/** Words of the section about two-factor authentication; the server's sentences are in `contract/auth-texts.ts`. */
export const factorScreenTexts = {
  title: "Two-factor authentication",
  lead: "Each time you sign in, you also enter a code from an app on your phone. A stolen password is then not enough.",
  app: "Authenticator app",
  appOff: "No app is set up.",
  appOn: (date: string) => `On since ${date}.`,
  on: "On",
  off: "Off",
  setUp: "Set up authenticator app",
  setUpTitle: "Set up your authenticator app",
  setUpLead:
    "Scan this QR code with an authenticator app, such as Google Authenticator, 1Password or Aegis. Then enter the code that the app shows.",
  setUpFailed: "Two-factor authentication could not be set up. Please try again.",
  qr: "QR code with the key for your authenticator app",
  key: "Can't scan it? Enter this key in the app:",
  copyKey: "Copy key",
  cancel: "Cancel",
  continue: "Continue",
  codesDetail: (left: number) =>
    `${left} of 10 left. Each one signs you in once if you don't have your phone.`,
  storeTitle: "Store your recovery codes",
  turnOn: "Turn on",
  notTurnedOn: "Two-factor authentication was not turned on.",
  fewCodes: (left: number) =>
    left === 0
      ? "You have no recovery codes left. Create new ones, or you can't sign in if you lose your phone."
      : `Only ${left === 1 ? "1 recovery code is" : `${left} recovery codes are`} left. Create new ones before you run out.`,
  newCodes: "New recovery codes",
  replaceTitle: "Create new recovery codes?",
  replaceQuestion: "The recovery codes you have now stop working.",
  replace: "Create new codes",
  replaceFailed: "New recovery codes could not be created. Please try again.",
  turnOff: "Turn off",
  turnOffTitle: "Turn off two-factor authentication?",
  turnOffQuestion:
    "Your account will then be protected by your password or provider alone. Your recovery codes are deleted, too.",
  removeAppTitle: "Remove your authenticator app?",
  removeAppQuestion: "Signing in then takes a passkey or a recovery code.",
  turnOffFailed: "Two-factor authentication could not be turned off. Please try again.",
} as const;

/** Words of the card about the email address. */
export const emailCardTexts = {
  title: "Email address",
  lead: "You sign in with it, and we send notices about your account to it.",
  change: "Change…",
  dialog: "Change your email address",
  dialogLead:
    "We email a link to the new address. Your address changes once you follow it, and your other devices are signed out. Administrators also approve the change by an email to their current address.",
  newEmail: "New email address",
  submit: "Send link",
  failed: "Your email address could not be changed. Please try again.",
  waiting: (email: string) => `Waiting for confirmation of ${email}`,
  waitingUntil: (date: string) =>
    `Follow the link in our email to the new address, and, if you are asked to approve the change, the one to your current address. They expire on ${date}.`,
  stop: "Stop the change",
  stopFailed: "The change could not be stopped. Please try again.",
} as const;
