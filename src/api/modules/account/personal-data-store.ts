import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import {
  apiTokens,
  contactMessages,
  identities,
  knownDevices,
  mails,
  sessions,
  signInFailures,
  tokens,
  users,
} from "#api/db/schema.ts";

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

const opensAccount = "Whoever finds the file must not be able to sign in with it.";
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
    mailboxProvedAt: true,
    disabledAt: "Who is disabled can't export.",
    lastSeenAt: true,
    createdAt: true,
    updatedAt: true,
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
  }),
  sessions: about(sessions, {
    tokenHash: opensAccount,
    id: true,
    userId: isTheReader,
    ip: true,
    userAgent: true,
    createdAt: true,
    lastUsedAt: true,
    expiresAt: true,
  }),
  knownDevices: about(knownDevices, {
    tokenHash: opensAccount,
    userId: isTheReader,
    failures: "Wrong passwords of anyone at that browser: they end with the next sign-in.",
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
    attempts: "How delivery goes is the server's affair.",
    nextAttemptAt: "How delivery goes is the server's affair.",
    leasedUntil: "How delivery goes is the server's affair.",
    lastError: "How delivery goes is the server's affair.",
    createdAt: true,
    sentAt: true,
  }),
};

/** Tables that tell of people and of which the export holds nothing, each with the reason. */
export const notExported: Record<string, string> = {
  activities: "The log is the installation's record, and tells of others too.",
  pendingRegistrations: "Made by whoever typed the address; none is left once the address has its account.",
  mailCooldowns: "That an address was mailed within the last minute.",
  settingChanges: "The history of the installation's settings.",
  plugins: "What is installed, and by whom, is the installation's record.",
  pluginVersions: "What is installed, and by whom, is the installation's record.",
  pluginKeys: "Whom the installation trusts, and who said so, is its record.",
  pluginJobs: "`leasedBy` is a server.",
};
