import { and, asc, eq, getTableColumns, gt, isNull, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Database, rowPages, rowsAtATime } from "#api/core/database.ts";
import {
  apiTokens,
  contactMessages,
  emailChanges,
  identities,
  knownDevices,
  mails,
  passkeys,
  recoveryCodes,
  sessions,
  signInFailures,
  tokens,
  totpSecrets,
  users,
} from "#api/db/schema.ts";
import { type UserRow, userColumns } from "#api/db/user-rows.ts";

/** What a person's own account can have changed. */
export type AccountChange = Partial<Pick<UserRow, "name">>;

const enabled = (id: string) => and(eq(users.id, id), isNull(users.disabledAt));

/** The account as it is now, or `null` when it is gone or disabled. */
export const findAccount = async (db: Database, id: string): Promise<UserRow | null> => {
  const [row] = await db.select(userColumns).from(users).where(enabled(id));
  return row ?? null;
};

/** Changes an account; `null` when it is gone or disabled. */
export const changeAccount = async (
  tx: Database,
  id: string,
  change: AccountChange & { updatedAt: Date },
): Promise<UserRow | null> => {
  const [row] = await tx.update(users).set(change).where(enabled(id)).returning(userColumns);
  return row ?? null;
};

/** Signed-in browsers, without the hash that stands for their cookie. */
export const sessionPages = (db: Database, userId: string) =>
  rowPages((after) =>
    db
      .select(personalData.sessions.exported)
      .from(sessions)
      .where(and(eq(sessions.userId, userId), behind(sessions.id, after)))
      .orderBy(asc(sessions.id))
      .limit(rowsAtATime),
  );

/** API tokens that act for the person, without the hash that stands for each. */
export const apiTokenPages = (db: Database, userId: string) =>
  rowPages((after) =>
    db
      .select(personalData.apiTokens.exported)
      .from(apiTokens)
      .where(and(eq(apiTokens.createdBy, userId), behind(apiTokens.id, after)))
      .orderBy(asc(apiTokens.id))
      .limit(rowsAtATime),
  );

/** What the person wrote through the contact form while signed in. */
export const contactMessagePages = (db: Database, userId: string) =>
  rowPages((after) =>
    db
      .select(personalData.contactMessages.exported)
      .from(contactMessages)
      .where(and(eq(contactMessages.userId, userId), behind(contactMessages.id, after)))
      .orderBy(asc(contactMessages.id))
      .limit(rowsAtATime),
  );

/** The emails to an address that the outbox still knows of; what they said is not told, it may hold links. */
export const mailPages = (db: Database, recipient: string) =>
  rowPages((after) =>
    db
      .select(personalData.mails.exported)
      .from(mails)
      .where(and(eq(mails.recipient, recipient), behind(mails.id, after)))
      .orderBy(asc(mails.id))
      .limit(rowsAtATime),
  );

/** When each known browser was first and last signed in with. */
export const findDeviceDates = (db: Database, userId: string) =>
  db
    .select(personalData.knownDevices.exported)
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(asc(knownDevices.createdAt));

/** The dates of links that were emailed to the person and that the database still knows of. */
export const findLinkDates = (db: Database, userId: string) =>
  db
    .select(personalData.tokens.exported)
    .from(tokens)
    .where(eq(tokens.userId, userId))
    .orderBy(asc(tokens.createdAt));

/** Changes of the address that the database still knows of. */
export const findEmailChanges = (db: Database, userId: string) =>
  db
    .select(personalData.emailChanges.exported)
    .from(emailChanges)
    .where(eq(emailChanges.userId, userId))
    .orderBy(asc(emailChanges.createdAt));

/** The authenticator app, the passkeys, and the recovery codes that are left, without what opens the account. */
export const findFactorDates = async (db: Database, userId: string) => {
  const [app] = await db
    .select(personalData.totpSecrets.exported)
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  const codes = await db
    .select(personalData.recoveryCodes.exported)
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  const keys = await db
    .select(personalData.passkeys.exported)
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt));
  return { authenticatorApp: app ?? null, passkeys: keys, recoveryCodes: codes };
};

/** The account itself, or `null` when it is gone or disabled. */
export const findProfile = async (db: Database, id: string) => {
  const [row] = await db
    .select(personalData.users.exported)
    .from(users)
    .where(and(eq(users.id, id), isNull(users.disabledAt)));
  return row ?? null;
};

/** Who the person is at each provider that opens the account. */
export const findIdentities = (db: Database, userId: string) =>
  db
    .select(personalData.identities.exported)
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider));

/** The wrong passwords in a row that were counted for an address, or `null`. */
export const findSignInFailures = async (db: Database, emailKey: string) => {
  const [row] = await db
    .select(personalData.signInFailures.exported)
    .from(signInFailures)
    .where(eq(signInFailures.emailKey, emailKey));
  if (!row) return null;
  const { failures: inARow, ...more } = row;
  return { inARow, ...more };
};

const behind = (id: PgColumn, after: string | null): SQL | undefined =>
  after === null ? undefined : gt(id, after);

/** Of each column whether it is exported: `true`, or the reason why it is not. */
type Told<Table extends PgTable> = Record<keyof Table["_"]["columns"], true | string>;

type Exported<Table extends PgTable, Columns> = {
  [Name in keyof Table["_"]["columns"] as Name extends keyof Columns
    ? Columns[Name] extends true
      ? Name
      : never
    : never]: Table["_"]["columns"][Name];
};

const about = <Table extends PgTable, const Columns extends Told<Table>>(table: Table, columns: Columns) => {
  const all = Object.entries(getTableColumns(table));
  const isExported = ([name]: [string, unknown]) => new Map(Object.entries(columns)).get(name) === true;
  // Safe: exactly the columns that the type keeps are kept.
  const exported = Object.fromEntries(all.filter(isExported)) as Exported<Table, Columns>;
  return { table, columns, exported };
};

const opensAccount = "A person who finds the file must not be able to sign in with it.";
const isTheReader = "It is the account itself.";

/**
 * What the database holds about a person, column by column, and what of it their export holds: the queries of the export
 * are made from this. A column that is added to one of these tables does not compile before it has its line.
 */
export const personalData = {
  users: about(users, {
    id: true,
    name: true,
    email: true,
    emailKey: "The email address, spelled for comparison.",
    emailVerifiedAt: true,
    passwordHash: `That there is one is in \`signInMethods\`. ${opensAccount}`,
    role: true,
    roleSource: true,
    mailboxProvedAt: true,
    secondFactorAt: true,
    factorRequiredFrom: true,
    disabledAt: "Disabled users can't export.",
    lastSeenAt: true,
    createdAt: true,
    updatedAt: true,
  }),
  emailChanges: about(emailChanges, {
    id: true,
    userId: isTheReader,
    oldEmail: true,
    oldKey: "The email address, spelled for comparison.",
    newEmail: true,
    newKey: "The email address, spelled for comparison.",
    newHash: opensAccount,
    oldHash: opensAccount,
    needsApproval: true,
    createdAt: true,
    expiresAt: true,
    confirmedAt: true,
    approvedAt: true,
    changedAt: true,
    endedAt: true,
  }),
  identities: about(identities, {
    id: true,
    userId: isTheReader,
    provider: true,
    issuer: true,
    subject: true,
    email: true,
    linkedAt: true,
    lastUsedAt: true,
    factorAt: true,
    undoHash: opensAccount,
  }),
  sessions: about(sessions, {
    tokenHash: opensAccount,
    id: true,
    userId: isTheReader,
    ip: true,
    userAgent: true,
    createdAt: true,
    confirmedAt: true,
    factorAt: true,
    provider: true,
    providerSid: true,
    lastUsedAt: true,
    expiresAt: true,
  }),
  totpSecrets: about(totpSecrets, {
    userId: isTheReader,
    secret: opensAccount,
    lastStep: "The time step of the last code, by which no code works twice.",
    enabledAt: true,
  }),
  passkeys: about(passkeys, {
    id: true,
    userId: isTheReader,
    credentialId: "The name of a key, which the authenticator that has it knows.",
    userHandle: "The account's name in authenticators: random bytes.",
    publicKey: "A key that checks signatures of the authenticator.",
    counter: "How often the authenticator was used, by which copies of it are noticed.",
    rpId: true,
    aaguid: true,
    transports: true,
    isBackupEligible: true,
    isBackedUp: true,
    name: true,
    needsPassword: true,
    createdAt: true,
    lastUsedAt: true,
    suspectAt: true,
  }),
  recoveryCodes: about(recoveryCodes, {
    userId: isTheReader,
    codeHash: opensAccount,
    createdAt: true,
  }),
  knownDevices: about(knownDevices, {
    tokenHash: opensAccount,
    userId: isTheReader,
    failures: "Wrong passwords from anyone in that browser: they end with the next sign-in.",
    createdAt: true,
    lastUsedAt: true,
  }),
  signInFailures: about(signInFailures, {
    emailKey: "The email address, spelled for comparison.",
    failures: true,
    lastFailedAt: true,
  }),
  tokens: about(tokens, {
    tokenHash: opensAccount,
    purpose: true,
    userId: isTheReader,
    registrationId: "Registrations end when the address has its account.",
    expiresAt: true,
    usedAt: true,
    createdAt: true,
  }),
  apiTokens: about(apiTokens, {
    id: true,
    name: true,
    tokenHash: opensAccount,
    hint: opensAccount,
    scopes: true,
    createdBy: isTheReader,
    allowedNetworks: true,
    callsPerMinute: true,
    createdAt: true,
    expiresAt: true,
    lastUsedAt: true,
    lastUsedIp: true,
    revokedAt: true,
  }),
  contactMessages: about(contactMessages, {
    id: true,
    name: true,
    email: true,
    subject: true,
    message: true,
    userId: isTheReader,
    ip: true,
    userAgent: true,
    idempotencyKey: "A hash by which a repeated request is recognized.",
    contentHash: "A hash by which a repeated request is recognized.",
    createdAt: true,
    readAt: true,
    handledAt: true,
  }),
  mails: about(mails, {
    id: true,
    recipient: "The email address of the account.",
    subject: true,
    content: `It may hold links. ${opensAccount}`,
    status: true,
    attempts: "Details of delivery are the server's.",
    nextAttemptAt: "Details of delivery are the server's.",
    leasedUntil: "Details of delivery are the server's.",
    lastError: "Details of delivery are the server's.",
    createdAt: true,
    sentAt: true,
  }),
};

/** Tables that tell of people and of which the export holds nothing, each with the reason. */
export const notExported: Record<string, string> = {
  activities: "The log is the installation's record, and includes other users.",
  ceremonies: "Challenges for passkeys, kept for five minutes.",
  pendingTotpSecrets: "An authenticator app that is being set up, kept for 15 minutes.",
  pendingRegistrations:
    "Made by the person who typed the address; none is left once the address has its account.",
  invitations: "The administrator's record of whom they invited, kept for a month after it expired.",
  mailCooldowns: "That an address was emailed within the last minute.",
  settingChanges: "The history of the installation's settings.",
  plugins: "What is installed, and by whom, is the installation's record.",
  pluginVersions: "What is installed, and by whom, is the installation's record.",
  pluginKeys: "Which keys the installation trusts, and who added them, is its record.",
  pluginJobs: "`leasedBy` is a server.",
};
