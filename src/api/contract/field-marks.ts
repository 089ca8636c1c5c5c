import type { Activity } from "#api/modules/activity/contract.ts";
import type { ContactMessage } from "#api/modules/contact/contract.ts";
import type { Mail } from "#api/modules/mail/contract.ts";
import type { ApiToken } from "#api/modules/tokens/contract.ts";
import type { UserDetail } from "#api/modules/users/contract.ts";
import { messageFields } from "./contact-rules.ts";

/** What the admin area and the terminal call a field, and whether the search of its list looks into it. */
type Mark = { label: string; isSearched?: true };

/** A mark for each field of a row, without those that are shown only as part of another. */
type Marks<Row, PartOfAnother extends keyof Row = never> = Record<Exclude<keyof Row, PartOfAnother>, Mark>;

/** The fields of an activity. A search finds request IDs by their beginning. */
export const activityFields = {
  id: { label: "Number" },
  timestamp: { label: "Time" },
  pluginName: { label: "Plugin", isSearched: true },
  type: { label: "Type", isSearched: true },
  action: { label: "Action", isSearched: true },
  description: { label: "Description", isSearched: true },
  status: { label: "Status", isSearched: true },
  severity: { label: "Severity", isSearched: true },
  duration: { label: "Duration" },
  occurrences: { label: "Occurrences" },
  actorKind: { label: "Who" },
  userEmail: { label: "Email", isSearched: true },
  userId: { label: "User ID" },
  ip: { label: "IP address", isSearched: true },
  userAgent: { label: "User agent" },
  requestId: { label: "Request ID", isSearched: true },
  changes: { label: "Changes" },
} as const satisfies Marks<Activity>;

/** The fields of a user. */
export const userFields = {
  id: { label: "Id" },
  name: { label: "Name", isSearched: true },
  email: { label: "Email", isSearched: true },
  role: { label: "Role" },
  disabled: { label: "Status" },
  hasPassword: { label: "Signs in with" },
  secondFactor: { label: "Second factor" },
  createdAt: { label: "Created" },
  lastSeenAt: { label: "Last seen" },
  sessions: { label: "Sessions" },
} as const satisfies Marks<
  UserDetail,
  "googleId" | "githubId" | "emailVerified" | "isLastAdmin" | "sessionCount"
>;

/** The fields of an API token. */
export const tokenFields = {
  id: { label: "Id" },
  name: { label: "Name" },
  hint: { label: "Ends in" },
  scopes: { label: "Scopes" },
  state: { label: "State" },
  owner: { label: "Owner" },
  allowedNetworks: { label: "Networks" },
  callsPerMinute: { label: "Calls a minute" },
  createdAt: { label: "Created" },
  expiresAt: { label: "Expires" },
  lastUsedAt: { label: "Last used" },
  revokedAt: { label: "Revoked" },
} as const satisfies Marks<ApiToken, "lastUsedIp">;

/** The fields of an email in the outbox. */
export const mailFields = {
  id: { label: "Id" },
  recipient: { label: "Recipient", isSearched: true },
  subject: { label: "Subject", isSearched: true },
  status: { label: "Status" },
  attempts: { label: "Tries" },
  lastError: { label: "Last error" },
  nextAttemptAt: { label: "Next try" },
  createdAt: { label: "Created" },
  sentAt: { label: "Sent" },
} as const satisfies Marks<Mail, "canRetry">;

/** The fields of a contact message: what its form asks for, and what the server adds. */
export const contactFields = {
  id: { label: "Id" },
  ...messageFields,
  createdAt: { label: "Received" },
  handledAt: { label: "Handled" },
  userId: { label: "Account" },
  ip: { label: "IP address" },
  userAgent: { label: "Browser" },
} as const satisfies Marks<ContactMessage, "readAt">;

/** Label and content of each field, in the order of `contents`; `null` leaves one out. */
export const labelled = <Name extends string, Content>(
  fields: Record<Name, Mark>,
  contents: Record<NoInfer<Name>, Content | null>,
): [label: string, content: Content][] => {
  const marks = new Map<string, Mark>(Object.entries(fields));
  return Object.entries<Content | null>(contents).flatMap(([name, content]) => {
    const mark = marks.get(name);
    return mark === undefined || content === null ? [] : [[mark.label, content]];
  });
};

/** The names of the fields that a search looks into. */
export const searchedNames = (fields: Record<string, Mark>): string[] =>
  Object.entries(fields).flatMap(([name, { isSearched }]) => (isSearched ? [name] : []));
