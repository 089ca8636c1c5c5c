/** Bounds that pages and the forms' rules hold as well as the server. Source of an address's length: RFC 5321 §4.5.3.1. */
export const pageLimits = {
  nameLength: 100,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  messageLength: 5_000,
  invitationsAtOnce: 200,
  invitationNoteLength: 500,
  pageSize: 25,
  exportRows: 10_000,
  activitySearchLength: 200,
  passkeysByUser: 20,
  passkeyNameLength: 50,
  // Of one visitor while plugins' routes are left out of the limit: several people may share an address.
  pluginCallsByVisitor: 600,
} as const;

/** Bounds that server and forms share. Source of an address's length: RFC 5321 §4.5.3.1. */
export const limits = {
  ...pageLimits,
  jsonBodyBytes: 1_000_000,
  uploadBytes: 20_000_000,
  bodyArrivalMs: 10_000,
  urlBytes: 8_192,
  mailedTokenBytes: 32,
  sessionTokenBytes: 32,
  // Of members, unused and at most; admins' are settings.
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  sessionMostMs: 180 * 24 * 60 * 60 * 1000,
  sessionTouchMs: 60 * 1000,
  verificationTokenMs: 24 * 60 * 60 * 1000,
  resetTokenMs: 60 * 60 * 1000,
  badLogoutTokens: 20,
  badLogoutTokensMs: 60 * 1000,
  oauthStateMs: 10 * 60 * 1000,
  sessionsByUser: 100,
  deviceMs: 365 * 24 * 60 * 60 * 1000,
  devicesByUser: 100,
  setupTokenMs: 60 * 60 * 1000,
  mailCooldownMs: 60 * 1000,
  signInWindowMs: 15 * 60 * 1000,
  signInFailuresByAddressAndIp: 10,
  signInFailuresByAddress: 20,
  signInFailuresByIp: 100,
  // NIST SP 800-63B §5.2.2: no more than 100 consecutive failures on one account, however long they take.
  signInFailuresInARow: 100,
  // Of an address without an account; what an account's address has counts until its owner signs in or resets.
  signInFailuresKeptMs: 30 * 24 * 60 * 60 * 1000,
  signInFailuresByDevice: 10,
  // A stolen session must not become an oracle for the password.
  passwordChecksByUser: 10,
  // What is asked of people without a password in its place: a sign-in this young.
  freshSessionMs: 10 * 60 * 1000,
  // Confirmations of one session that fail in a row until its user is emailed, and how long they are counted.
  confirmFailures: 5,
  confirmFailuresWindowMs: 24 * 60 * 60 * 1000,
  // Wrong codes of a second factor: of an authenticator app, and of recovery codes from one network.
  codeFailures: 5,
  codeFailuresWindowMs: 15 * 60 * 1000,
  // For the first code of an authenticator app, and then for storing the recovery codes.
  factorSetupMs: 15 * 60 * 1000,
  // Between password and second factor.
  stepMs: 10 * 60 * 1000,
  // From the challenge to the answer of the browser.
  ceremonyMs: 5 * 60 * 1000,
  // Each sign-in page that is opened begins one.
  ceremoniesByIp: 300,
  ceremoniesWindowMs: 15 * 60 * 1000,
  pluginCallsWindowMs: 60 * 1000,
  // An office behind one address must be able to write.
  contactMessagesByIp: 100,
  contactWindowMs: 60 * 60 * 1000,
  // The same content again within this time is a double submit.
  contactRepeatMs: 10 * 60 * 1000,
  invitationDays: 7,
  invitationDaysMax: 30,
  invitationMailsInAnHour: 500,
  invitationResendsInADay: 3,
  // How long they are listed after they expired.
  invitationsKeptMs: 30 * 24 * 60 * 60 * 1000,
  emailChangesInADay: 3,
  // With the old address's approval; without it a new address has as long as a verification.
  emailApprovalMs: 7 * 24 * 60 * 60 * 1000,
  // So long without a stop from the old address counts as its approval, where the second factor was given.
  emailSilenceMs: 72 * 60 * 60 * 1000,
  emailUndoMs: 7 * 24 * 60 * 60 * 1000,
  // How long the email about a linked provider can undo that.
  linkUndoMs: 7 * 24 * 60 * 60 * 1000,
  emailReservedMs: 30 * 24 * 60 * 60 * 1000,
  mailRequestsByIp: 100,
  // To one address on strangers' requests, of each kind of email.
  mailsByAddressInAnHour: 10,
  mailsByAddressInADay: 30,
  // From one network, of registrations and of links that are sent again.
  mailsByAddressAndNetworkInAnHour: 5,
  // Of the day's links that are sent again: for browsers that registered the address.
  mailsKeptForRegistrants: 10,
  // Test emails: to one address, whoever asks, and in all by one admin.
  testMailPauseMs: 60 * 1000,
  testMailsByAdmin: 20,
  testMailsWindowMs: 60 * 60 * 1000,
  pageSizeMax: 100,
  activityActionLength: 200,
  activityTextLength: 1_000,
  activityChangesLength: 8_000,
  ipLength: 64,
  userAgentLength: 200,
  activityOffset: 1_000_000_000,
  activityId: 999_999_999_999_999,
  activityChartDays: 366,
  verifiedRows: 20_000,
} as const;

/** Timers of the screens, in milliseconds. */
export const timers = {
  redirectMs: 3_000,
  noticeMs: 5_000,
  chunkTimeoutMs: 120_000,
  requestTimeoutMs: 15_000,
  // Such as a clean-up: millions of rows take minutes.
  longRequestTimeoutMs: 10 * 60_000,
  // Some browsers never answer where there is no authenticator. Before the server's own limit.
  passkeyMs: 2 * 60_000,
} as const;

/**
 * What the API's document states of a field that a rule checks by itself, as `documented` in the field's schema: words of JSON
 * Schema, which counts characters, never narrower than the rule. Nothing is checked by it, so that what callers are told
 * stays the rule's own sentence.
 */
export type DocumentedLimits = {
  type?: "integer";
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly number[];
};

/**
 * A text of `least` to `most` characters, around which there may be any amount of space; with 0 it may be empty. Of texts
 * with lines each line break counts as one character, in whatever way it is written.
 */
export const trimmed = (least: number, most: number, { hasLines = false } = {}): DocumentedLimits => {
  const one = hasLines ? "(?:\\r\\n|\\r(?!\\n)|[^\\r])" : "[\\s\\S]";
  const text =
    least > 1
      ? `\\S${one}{${least - 2},${most - 2}}\\S`
      : // One character is first and last.
        `\\S(?:${one}{0,${most - 2}}\\S)?`;
  return least === 0
    ? { pattern: `^\\s*(?:${text}\\s*)?$` }
    : { minLength: least, pattern: `^\\s*${text}\\s*$` };
};
