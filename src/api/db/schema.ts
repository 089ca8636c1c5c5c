import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { TokenScope } from "#contract/api-tokens.ts";
import { bytes, instant, searchedTexts } from "./schema/parts.ts";

export * from "./schema/activity.ts";
export * from "./schema/plugins.ts";
export * from "./schema/settings.ts";

const createdAt = () => instant("created_at").notNull().defaultNow();

/** Facts about the installation as a whole, such as the check value of its key. */
export const installation = pgTable("installation", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

/**
 * How many rows the long lists have of each kind, such as `admin/active` of `users`: their sum over all rows of a kind.
 * Triggers of migration `list_indexes` keep them. Writers that meet at a kind take a row each, so none waits for another.
 */
export const listTallies = pgTable("list_tallies", {
  id: uuid("id").primaryKey().defaultRandom(),
  list: text("list", { enum: ["users", "contact_messages", "mails"] }).notNull(),
  kind: text("kind").notNull(),
  rows: bigint("rows", { mode: "number" }).notNull(),
});

// A search reads what waits to be merged into the index: 256 kB take it less than a millisecond.
const trigrams = (list: keyof typeof searchedTexts) =>
  index(`${list}_search`)
    .using("gin", sql`(${searchedTexts[list]}) gin_trgm_ops`)
    .with({ gin_pending_list_limit: 256 });

/**
 * Users. `emailKey` is the folded email address: one row for each. `roleSource` is the provider whose groups gave the role,
 * `null` where someone here gave it, and `@here` where someone here made an admin a user, so that groups don't make them one again.
 * `mailboxProvedAt` is when an emailed link was last
 * followed, `null` before the first. `secondFactorAt` is when the first second factor was enabled, `null` without one: it
 * changes with that, so that remembered sessions are read again. `factorRequiredFrom` is since when the user may take the days
 * of grace to set a required one up, `null` from the beginning. `lastSeenAt` outlives the sessions and known browsers that it
 * came from.
 */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailKey: text("email_key").notNull(),
    emailVerifiedAt: instant("email_verified_at"),
    passwordHash: text("password_hash"),
    role: text("role", { enum: ["user", "admin"] })
      .notNull()
      .default("user"),
    roleSource: text("role_source"),
    mailboxProvedAt: instant("mailbox_proved_at"),
    secondFactorAt: instant("second_factor_at"),
    factorRequiredFrom: instant("factor_required_from"),
    disabledAt: instant("disabled_at"),
    lastSeenAt: instant("last_seen_at"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("users_email_key").on(table.emailKey),
    // One for each order of the list; what it filters by is in them too, so that a page far down is found without the rows.
    index("users_newest").on(table.createdAt.desc(), table.id.desc(), table.role, table.disabledAt),
    index("users_name").on(
      sql`lower(${table.name}) desc nulls last`,
      table.id.desc(),
      table.name,
      table.role,
      table.disabledAt,
    ),
    index("users_email").on(table.emailKey.desc(), table.id.desc(), table.role, table.disabledAt),
    index("users_last_seen").on(table.lastSeenAt.desc(), table.id.desc(), table.role, table.disabledAt),
    index("users_admins").on(table.id).where(sql`role = 'admin'`),
    index("users_disabled").on(table.id).where(sql`disabled_at is not null`),
    trigrams("users"),
  ],
);

/**
 * The identities of users at sign-in providers. `subject` is a user at one `issuer` and another at a different one.
 * `email` is what the provider last reported; `linkedAt` is `null` for identities that are older than this table.
 * `factorAt` is when they last signed in with a second factor there, `null` where the last time they gave none.
 * `undoHash` is of the token in the email about it. Adding or removing one also writes the user's row, by which other servers see that the user has changed.
 */
export const identities = pgTable(
  "identities",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider").notNull(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    email: text("email"),
    linkedAt: instant("linked_at"),
    lastUsedAt: instant("last_used_at"),
    factorAt: instant("factor_at"),
    undoHash: text("undo_hash").unique(),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.issuer, table.subject),
    uniqueIndex("identities_user").on(table.userId, table.provider),
  ],
);

/**
 * Registrations whose link was not followed yet, each with its own name and password. `tokenHash` is that of the newest
 * link, null while none was emailed; older ones are in `tokens`. `browserHash`, `ip` and `device` tell where it was made:
 * only in that browser does a link of the address give the account this name and password.
 */
export const pendingRegistrations = pgTable(
  "pending_registrations",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailKey: text("email_key").notNull(),
    passwordHash: text("password_hash").notNull(),
    tokenHash: text("token_hash"),
    mailedAt: instant("mailed_at"),
    browserHash: text("browser_hash"),
    ip: text("ip"),
    device: text("device"),
    expiresAt: instant("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("pending_registrations_token").on(table.tokenHash),
    index("pending_registrations_email").on(table.emailKey, table.createdAt.desc()),
  ],
);

/**
 * Invitations, the newest of each address. `invitedBy` and `inviterName` are `null` for those of the operator; a name alone is that of
 * an administrator whose account is deleted.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid("id").primaryKey(),
    email: text("email").notNull(),
    emailKey: text("email_key").notNull(),
    name: text("name"),
    role: text("role", { enum: ["user", "admin"] }).notNull(),
    note: text("note"),
    tokenHash: text("token_hash").notNull(),
    invitedBy: uuid("invited_by").references(() => users.id, { onDelete: "set null" }),
    inviterName: text("inviter_name"),
    mailedAt: instant("mailed_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    withdrawnAt: instant("withdrawn_at"),
  },
  (table) => [
    uniqueIndex("invitations_email").on(table.emailKey),
    uniqueIndex("invitations_token").on(table.tokenHash),
    index("invitations_mailed").on(table.mailedAt.desc(), table.id.desc()),
    index("invitations_inviter").on(table.invitedBy),
  ],
);

/**
 * Changes of users' email addresses: those that wait, and for a month those that were made, whose old addresses no one else gets meanwhile.
 * `newHash` is of the link in the new mailbox; `oldHash` of that in the old one, another one once the change is made. `endedAt` is
 * when it was stopped, replaced or undone.
 */
export const emailChanges = pgTable(
  "email_changes",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    oldEmail: text("old_email").notNull(),
    oldKey: text("old_key").notNull(),
    newEmail: text("new_email").notNull(),
    newKey: text("new_key").notNull(),
    newHash: text("new_hash").notNull(),
    oldHash: text("old_hash").notNull(),
    needsApproval: boolean("needs_approval").notNull(),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
    confirmedAt: instant("confirmed_at"),
    approvedAt: instant("approved_at"),
    changedAt: instant("changed_at"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    uniqueIndex("email_changes_new").on(table.newHash),
    uniqueIndex("email_changes_old").on(table.oldHash),
    index("email_changes_user").on(table.userId, table.createdAt.desc()),
    index("email_changes_reserved").on(table.oldKey, table.changedAt),
  ],
);

/**
 * Signed-in browsers; only the SHA-256 of the cookie's token is kept. `confirmedAt` is when the user signed in or last confirmed
 * it, `factorAt` when they last gave a code of their second factor in this session. `provider` is through whom they signed in, and
 * `providerSid` what that calls its own session.
 */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    id: uuid("id").notNull().unique(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ip: text("ip").notNull(),
    userAgent: text("user_agent"),
    createdAt: createdAt(),
    confirmedAt: instant("confirmed_at").notNull().defaultNow(),
    factorAt: instant("factor_at"),
    provider: text("provider"),
    providerSid: text("provider_sid"),
    lastUsedAt: instant("last_used_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAt)],
);

/**
 * Browsers that a user signed in with before: their owner gets in while others guess. `failures` counts wrong passwords
 * in a row; a browser with too many is an unknown one again. Only the SHA-256 of the cookie's token is kept.
 */
export const knownDevices = pgTable(
  "known_devices",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    failures: integer("failures").notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: instant("last_used_at").notNull(),
  },
  (table) => [index("known_devices_user").on(table.userId), index("known_devices_used").on(table.lastUsedAt)],
);

/** Wrong passwords in a row for an address, whether or not it has an account: see `signInFailuresInARow`. */
export const signInFailures = pgTable(
  "sign_in_failures",
  {
    emailKey: text("email_key").primaryKey(),
    failures: integer("failures").notNull(),
    lastFailedAt: instant("last_failed_at").notNull(),
  },
  (table) => [index("sign_in_failures_last").on(table.lastFailedAt)],
);

/**
 * Authenticator apps that users sign in with: the shared secret, encrypted, and the newest time step whose code was accepted,
 * so that no code works twice. Source: RFC 6238 §5.2.
 */
export const totpSecrets = pgTable("totp_secrets", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  secret: bytes("secret").notNull(),
  lastStep: bigint("last_step", { mode: "number" }),
  enabledAt: instant("enabled_at").notNull(),
});

/**
 * Authenticator apps that are being set up, in 15 minutes: an enabled one stays in use until the new one is enabled.
 * `recoveryHashes` are those of the codes shown after the first correct code, and are set together with `verifiedAt`.
 */
export const pendingTotpSecrets = pgTable("pending_totp_secrets", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  secret: bytes("secret").notNull(),
  lastStep: bigint("last_step", { mode: "number" }),
  recoveryHashes: jsonb("recovery_hashes").$type<string[]>(),
  verifiedAt: instant("verified_at"),
  createdAt: createdAt(),
});

/** Unused recovery codes. A plain SHA-256 is enough for 80 random bits, and needs nothing when the key changes. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/**
 * Passkeys. `publicKey` is a COSE key (RFC 9052 §7), `userHandle` the random bytes by which authenticators know the user, `rpId`
 * the host it was made for. `suspectAt` is when its counter went back, as that of a copy would: it is refused from then on.
 * `needsPassword` is set by a password reset until the passkey was given together with the new password: whoever had added it
 * while they were in the account would still be let in.
 */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    credentialId: text("credential_id").notNull(),
    userHandle: text("user_handle").notNull(),
    publicKey: bytes("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    rpId: text("rp_id").notNull(),
    aaguid: text("aaguid").notNull(),
    transports: jsonb("transports").$type<string[]>().notNull(),
    isBackupEligible: boolean("is_backup_eligible").notNull(),
    isBackedUp: boolean("is_backed_up").notNull(),
    name: text("name").notNull(),
    needsPassword: boolean("needs_password").notNull().default(false),
    createdAt: createdAt(),
    lastUsedAt: instant("last_used_at"),
    suspectAt: instant("suspect_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId),
  ],
);

/**
 * Challenges that a browser's authenticator is to sign, for five minutes and once. `userId` is whose passkey is wanted, `null`
 * for signing in with any; `userHandle` is that of a passkey to be made.
 */
export const ceremonies = pgTable(
  "ceremonies",
  {
    id: uuid("id").primaryKey(),
    purpose: text("purpose", { enum: ["register", "invitation", "sign-in", "factor", "confirm"] }).notNull(),
    challenge: text("challenge").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    userHandle: text("user_handle"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("ceremonies_expiry").on(table.expiresAt), index("ceremonies_user").on(table.userId)],
);

/**
 * States of social sign-ins that have come back, and logout tokens of providers: each works once. Also which sessions of providers
 * have ended, for sign-ins that began before and still lack the second factor.
 */
export const usedOauthStates = pgTable(
  "used_oauth_states",
  {
    stateHash: text("state_hash").primaryKey(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("used_oauth_states_expiry").on(table.expiresAt)],
);

/** Single-use tokens: the setup link, the links to a new password, and older links of a registration (`verify`). */
export const tokens = pgTable(
  "tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose", { enum: ["setup", "reset", "verify"] }).notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    registrationId: uuid("registration_id").references(() => pendingRegistrations.id, {
      onDelete: "cascade",
    }),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("tokens_purpose").on(table.purpose, table.userId),
    index("tokens_registration").on(table.registrationId),
  ],
);

/**
 * API tokens, dead ones too; only the SHA-256 of each is kept, and its last four characters as `hint`. Without `createdBy`
 * it is the operator's. `lastUsedAt` is exact to a minute.
 */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    tokenHash: text("token_hash").notNull(),
    hint: text("hint").notNull(),
    scopes: jsonb("scopes").$type<TokenScope[]>().notNull(),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "cascade" }),
    allowedNetworks: jsonb("allowed_networks").$type<string[]>().notNull(),
    callsPerMinute: integer("calls_per_minute"),
    createdAt: createdAt(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    lastUsedIp: text("last_used_ip"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    uniqueIndex("api_tokens_hash").on(table.tokenHash),
    index("api_tokens_owner").on(table.createdBy),
  ],
);

/** When an address last got an email on a stranger's request: one email per minute and address. */
export const mailCooldowns = pgTable("mail_cooldowns", {
  emailKey: text("email_key").primaryKey(),
  mailedAt: instant("mailed_at").notNull(),
});

/**
 * What visitors wrote. `userId` is set when the writer was signed in; `idempotencyKey` is the SHA-256 of writer and key,
 * so that a repeated call is answered again instead of stored again.
 */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    subject: text("subject", { enum: ["General", "Sales", "Support"] }).notNull(),
    message: text("message").notNull(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    ip: text("ip").notNull(),
    userAgent: text("user_agent"),
    idempotencyKey: text("idempotency_key").notNull(),
    contentHash: text("content_hash").notNull(),
    createdAt: createdAt(),
    readAt: instant("read_at"),
    handledAt: instant("handled_at"),
  },
  (table) => [
    uniqueIndex("contact_messages_idempotency").on(table.idempotencyKey),
    index("contact_messages_created").on(table.createdAt.desc(), table.id.desc()),
    index("contact_messages_subject").on(
      table.subject,
      table.createdAt.desc(),
      table.id.desc(),
      table.handledAt,
    ),
    index("contact_messages_open").on(table.createdAt.desc(), table.id.desc()).where(sql`handled_at is null`),
    index("contact_messages_handled")
      .on(table.createdAt.desc(), table.id.desc())
      .where(sql`handled_at is not null`),
    trigrams("contact_messages"),
    index("contact_messages_user").on(table.userId),
  ],
);

/** The outbox. `content` holds subject, texts and links encrypted, and is wiped once the mail was sent. */
export const mails = pgTable(
  "mails",
  {
    id: uuid("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    content: bytes("content"),
    status: text("status", { enum: ["waiting", "sent", "dead"] })
      .notNull()
      .default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: instant("next_attempt_at").notNull().defaultNow(),
    leasedUntil: instant("leased_until"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    sentAt: instant("sent_at"),
  },
  (table) => [
    index("mails_due").on(table.nextAttemptAt).where(sql`status = 'waiting'`),
    index("mails_created").on(table.createdAt.desc(), table.id.desc()),
    index("mails_status").on(table.status, table.createdAt.desc(), table.id.desc()),
    trigrams("mails"),
  ],
);
