import type { TokenScope } from "#contract/api-tokens.ts";
import type { FeatureSettings } from "#contract/feature-settings.ts";
import type { FactorProof } from "#contract/proof.ts";
import type { VisitorView } from "#contract/settings.ts";
import type { ProviderKind, User } from "#contract/users.ts";
import type { ActivityRecorder } from "./activity.ts";
import { AppError } from "./app-error.ts";
import type { BackupService } from "./backups.ts";
import type { Clock } from "./clock.ts";
import type { Database } from "./database.ts";
import type { EventBus, Happenings } from "./events.ts";
import type { Log } from "./log.ts";
import type { DiskProbe, ObjectStore } from "./objects.ts";
import type { PersonalData } from "./personal-data.ts";
import type { PluginService } from "./plugins.ts";
import type { EnvironmentProvider, ProviderRules } from "./providers.ts";
import type {
  ConnectionReport,
  ConnectionTests,
  FirewallProbe,
  ServiceStates,
  SettingsService,
} from "./settings.ts";

/** An API token at work; `callsPerMinute` is `null` where it has no limit of its own. */
type ActingToken = { id: string; name: string; scopes: TokenScope[]; callsPerMinute: number | null };

/**
 * The second factors of a user, and when they last gave one in this session, if they did. `provider` is where they gave it, for someone who
 * has none here and needs no other.
 */
type SecondFactor = { ways: readonly FactorProof[]; provider?: string; provenAt: Date | null };

/** A signed-in user, and the session. */
export type SignedIn = {
  kind: "user";
  user: User;
  sessionHash: string;
  begunAt: Date;
  /** If it is used no more. */
  endsAt: Date;
  provenAt: Date;
  secondFactor?: SecondFactor;
  /** The provider whose second factor is the one that the user must have, where this session came without it. */
  factorElsewhere?: string;
  /** By when the user must have set up a second factor, if they must. */
  factorRequiredBy?: Date;
};

/**
 * Who acts: no one known, a signed-in user (admins are users with that role) who signed in or confirmed it `provenAt` and may
 * have a second factor, in a session that began and will end at these instants, an API token in the name of the admin who made it (`null`: of the operator), or the operator at the
 * terminal.
 */
export type Actor =
  | { kind: "visitor" }
  | SignedIn
  | { kind: "token"; token: ActingToken; owner: User | null }
  | { kind: "operator" };

/** Hashes and checks passwords in a bounded queue. Throws `BUSY` when the queue is full. */
export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /** With `hash` null the same work is done on a dummy and the answer is `false`. */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** Whether a stored hash was made with other parameters than today's. */
  isOutdated(hash: string): boolean;
  /** How many hashes were computed since the start. */
  readonly computed: number;
};

/**
 * Whether a password appeared in a data breach; `unknown` where it could not be checked, `clean` also where nothing is
 * configured to check it with. Resolves within two seconds and never rejects.
 */
export type BreachCheck = (password: string) => Promise<"clean" | "breached" | "unknown">;

/** How many failures a key may have in a sliding window; `message` is what the caller reads above that. */
export type AttemptBudget = {
  key: string;
  most: number;
  windowMs: number;
  message: (waitS: number) => string;
};

/** Bounds guessing, and calls that cost others something. */
export type AttemptGuard = {
  /**
   * Runs `work` while every budget has room; what it throws counts as a failure when `isFailure` says so. Throws
   * `RATE_LIMITED` with the seconds until a try makes sense, and `BUSY` when too many wait for the outcome of others.
   */
  run<T>(
    budgets: AttemptBudget[],
    work: () => Promise<T>,
    isFailure: (error: unknown) => boolean,
  ): Promise<T>;
  /** Counts one call against every budget. Throws `RATE_LIMITED`, and counts nothing, when one of them is used up. */
  spend(budgets: AttemptBudget[]): Promise<void>;
  /** Forgets what was counted for the keys. */
  clear(keys: string[]): Promise<void>;
};

/** Under which key something was sealed: today's, the one before it, or one that is not at hand. */
export type SealKey = "current" | "previous" | "unknown";

/** Encrypts what must be readable again: emails that wait, stored credentials. */
export type SecretBox = {
  /**
   * Seals `plain` under the key of `purpose` (for instance `mail`). `aad` names the place, as `table:column:row`;
   * only the same place opens it again.
   */
  seal(purpose: string, aad: string, plain: Uint8Array): Uint8Array;
  /** The inverse of `seal`. Throws `INTERNAL` with a `SealError` as cause. */
  open(purpose: string, aad: string, sealed: Uint8Array): Uint8Array;
  /** Under which key something lies. Its first bytes tell: five are enough, and damage behind them is not seen. */
  keyOf(sealed: Uint8Array): SealKey;
  /** Tells keys apart without telling anything of them: 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** That of the previous key; `null` without one. */
  readonly previousFingerprint: string | null;
};

/** A person as an identity provider knows them; the `subject` never changes, the rest may. */
export type ProviderProfile = {
  subject: string;
  name: string | null;
  email: string | null;
  /** Whether the provider says that the address is the person's. */
  isEmailVerified: boolean;
  /** The groups that the provider names. */
  groups?: readonly string[];
  /** Whether the provider says that the person gave a second factor. */
  hasFactor?: boolean;
  /** The provider's own session, which it names when that ends. */
  sessionId?: string | null;
  /** When the person last signed in there; `null` if the provider doesn't say. */
  authenticatedAt?: Date | null;
};

/**
 * What a provider says has ended: its session `sessionId`, or all of the user `subject`. `id` is the token's own; it is not believed
 * anymore after `expiresAt`.
 */
export type ProviderLogout = {
  id: string;
  subject: string | null;
  sessionId: string | null;
  expiresAt: Date;
};

/** What a browser brings back from a provider; `issuer` is as whom it says that it was sent, `null` where it does not say. */
export type ProviderAnswer = { code: string; issuer: string | null };

/** What ties the answer of an identity provider to the browser that asked: see RFC 7636 and OpenID Connect §3.1.2.1. */
export type ProviderChallenge = { state: string; codeVerifier: string; nonce: string };

/** One identity provider that is configured. */
export type IdentityProvider = {
  kind: ProviderKind;
  /** Its name as users know it. */
  label: string;
  rules: ProviderRules;
  /** The issuer of its subjects: a URL. A subject is another user at another issuer (OpenID Connect Core §5.7). */
  issuer: string;
  /** Where to send the browser. Throws `PROVIDER_UNAVAILABLE` when the provider cannot be asked for its endpoints. */
  authorizationUrl(challenge: ProviderChallenge): Promise<string>;
  /** The same where the person has to sign in there again and the provider says when they did; only OpenID providers can. */
  confirmationUrl?(challenge: ProviderChallenge): Promise<string>;
  /** Exchanges the code for the person behind it, within 10 s. Throws `PROVIDER_UNAVAILABLE`, with the cause for the log. */
  identify(answer: ProviderAnswer, challenge: ProviderChallenge): Promise<ProviderProfile>;
  /**
   * Reads a logout token; only OpenID providers send those. Throws `TOKEN_INVALID` for any other text, and
   * `PROVIDER_UNAVAILABLE`.
   */
  readLogout?(token: string): Promise<ProviderLogout>;
};

/** The identity providers that users can sign in with at the moment, by their ids, in the order in which they are offered. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>;

/**
 * A mail before it is stored. Bodies are complete; answers go to `replyTo` where it is given; `link` is shown in the log
 * when no SMTP server is configured.
 */
export type Mail = {
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  link?: string;
};

/** The emails that operations send, and the signal that makes the worker look immediately. */
export type MailQueue = {
  /** Stores the mail in the caller's transaction. */
  enqueue(tx: Database, mail: Mail): Promise<void>;
  /** Notifies the worker that rows were committed. */
  wake(): void;
};

/** What the database says of itself. */
type DatabaseProbe = {
  kind: "postgres" | "embedded";
  /** Throws `DB_UNAVAILABLE` when no query gets through. */
  check(): Promise<void>;
  describe(): Promise<{ version: string; sizeBytes: number }>;
  /** Copies of the embedded database; `null` for a server. */
  snapshots: { take(): Promise<{ name: string; madeAt: Date; sizeBytes: number }> } | null;
};

/** The state of the outbox: how emails are sent, how many wait and how many were given up. */
export type OutboxProbe = {
  transport: "smtp" | "outbox";
  /** Host and port of the mail server; `null` without one. */
  server: string | null;
  /** Sender of all emails. */
  from: string;
  counts(): Promise<{ waiting: number; dead: number }>;
  /** Whether this process's last delivery succeeded, and why not; healthy before the first one. */
  health(): { isHealthy: boolean; lastError: string | null };
  /** Looks for due emails immediately, and retries a mail server that was recently away. */
  hurry(): void;
  /** Sends an email immediately, bypassing the outbox, within five seconds; reports each step and throws nothing. */
  test(mail: Mail & { id: string; createdAt: Date }): Promise<ConnectionReport>;
};

/**
 * Remembers what is dear to find out and may be a little old; replicas share it as far as Redis is there. It never
 * throws: what cannot be had is `null`, and what cannot be kept is not.
 */
export type Cache = {
  /** What was kept under `key` and passes `read`, which sees data from outside and answers `null` to what it does not know. */
  get<T>(key: string, read: (value: unknown) => T | null): Promise<T | null>;
  /** Keeps something that JSON can hold, for `ttlMs`. */
  set(key: string, value: unknown, ttlMs: number): Promise<void>;
  delete(keys: string[]): Promise<void>;
};

/** Facts of the running process. */
type ProcessFacts = { version: string; startedAt: Date };

/** What outlives a request and is the same for every door. */
export type Services = {
  db: Database;
  /** For the short reads that most requests begin with: see the database's handle. */
  lookups: Database;
  database: DatabaseProbe;
  disk: DiskProbe;
  outbox: OutboxProbe;
  process: ProcessFacts;
  clock: Clock;
  events: EventBus;
  happenings: Happenings;
  hasher: PasswordHasher;
  breachCheck: BreachCheck;
  attempts: AttemptGuard;
  providers: IdentityProviders;
  /** The ones among them that the environment names. */
  environmentProviders: readonly EnvironmentProvider[];
  secrets: SecretBox;
  mail: MailQueue;
  activity: ActivityRecorder;
  plugins: PluginService;
  /** What own features hold of users, by their names in the file of an account. */
  personalData: ReadonlyMap<string, PersonalData>;
  /** What own features do before a change: see `runBefore`. */
  beforeHooks: readonly { feature: string; before: Partial<BeforeHooks> }[];
  /** The settings that own features declare. */
  featureSettings: readonly FeatureSettings[];
  objects: ObjectStore;
  backups: BackupService;
  cache: Cache;
  settings: SettingsService;
  firewall: FirewallProbe;
  connectionTests: ConnectionTests;
  serviceStates: ServiceStates;
  /** Origins accepted as object storage besides Cloudflare's. */
  s3Endpoints: readonly string[];
  /** Whether a host may be called at all, as far as its writing shows it: nothing is looked up. */
  isCallableHost(hostname: string): Promise<boolean>;
  /** Where contact messages are emailed to; `null` keeps them only in the database. */
  contactEmail: string | null;
  log: Log;
  /** Public origin without trailing slash, the base of every emailed link. */
  appUrl: string;
  /** The host that passkeys belong to, `null` where none are offered. */
  passkeyHost: string | null;
};

/** How a call came in, whether and where the core counts calls, and the origins of other sites that are listed. */
type CallView = {
  visitor: VisitorView;
  isLimited: boolean;
  limiterStore: "memory" | "redis";
  corsOrigins: string[];
};

/** What an operation knows of the world: the services, and who asks. */
export type Context = Services & {
  actor: Actor;
  requestId: string;
  /** The caller's address; `local` for the control socket. */
  ip: string;
  userAgent: string | null;
  /** Of what came in by a door; made when someone asks. */
  view?(): CallView;
  /** Whether it is only asked what would be done. */
  isDryRun?: true;
};

/** What own features may do in the transaction of a change, before it. */
export type BeforeHooks = {
  [Name in keyof BeforeAbout]: (ctx: Context, tx: Database, about: BeforeAbout[Name]) => Promise<void>;
};

/** What they are told. */
type BeforeAbout = {
  /** Before someone registers: when they send the form, and when a link, an invitation or a provider makes their account. */
  "user.register": { email: string; name: string };
  /** Before a session begins, whatever the way. Not before those of administrators: no feature locks them out. */
  "user.login": { id: string; email: string; name: string };
  /**
   * Before an account has another email address or role, or is disabled or enabled. Not when the operator or a
   * provider's groups do it, nor before a change of address is undone.
   */
  "user.update": { id: string; email: string; change: AccountChange };
  /** Before an account is deleted, by its owner or an administrator: its rows are still there. */
  "user.delete": { id: string; email: string };
  /** Before a message of the contact form is stored; `userId` is `null` for visitors. */
  "contact.send": {
    name: string;
    email: string;
    subject: string;
    message: string;
    userId: string | null;
  };
};

/** What will be different of an account. */
type AccountChange = { email: string } | { role: User["role"] } | { disabled: boolean };

/**
 * Lets own features act in the transaction of a change, before it. An `AppError` of theirs refuses the change; whatever else
 * one throws ends it, too, and is logged with the feature's name. Throws both.
 */
export const runBefore = async <Name extends keyof BeforeHooks>(
  ctx: Context,
  tx: Database,
  name: Name,
  about: BeforeAbout[Name],
): Promise<void> => {
  // The operator repairs what features got wrong.
  if (name === "user.update" && ctx.actor.kind === "operator") return;
  for (const { feature, before } of ctx.beforeHooks)
    await before[name]?.(ctx, tx, about).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      throw new Error(`the feature ${feature} failed before ${name}`, { cause: error });
    });
};
