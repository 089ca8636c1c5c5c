import type { TokenScope } from "#contract/api-tokens.ts";
import type { VisitorView } from "#contract/settings.ts";
import type { ProviderName, User } from "#contract/users.ts";
import type { ActivityRecorder } from "./activity.ts";
import type { BackupService } from "./backups.ts";
import type { Clock } from "./clock.ts";
import type { Database } from "./database.ts";
import type { EventBus, Happenings } from "./events.ts";
import type { Log } from "./log.ts";
import type { DiskProbe, ObjectStore } from "./objects.ts";
import type { PluginService } from "./plugins.ts";
import type {
  ConnectionReport,
  ConnectionTests,
  FirewallProbe,
  ServiceStates,
  SettingsService,
} from "./settings.ts";

/** An API token at work; `callsPerMinute` is `null` where it has no limit of its own. */
type ActingToken = { id: string; name: string; scopes: TokenScope[]; callsPerMinute: number | null };

/** The second factor of a user: since when they have one, and when they last gave it in this session, if they did. */
type SecondFactor = { enabledAt: Date; provenAt: Date | null };

/**
 * Who acts: no one known, a signed-in user (admins are users with that role) who signed in or confirmed it `provenAt` and may
 * have a second factor, an API token in the name of the admin who made it (`null`: of the operator), or the operator at the
 * terminal.
 */
export type Actor =
  | { kind: "visitor" }
  | { kind: "user"; user: User; sessionHash: string; provenAt: Date; secondFactor?: SecondFactor }
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

/** Encrypts what must be readable again: see the adapter of that name. */
export type SecretBox = {
  seal(purpose: string, aad: string, plain: Uint8Array): Uint8Array;
  /** Throws `INTERNAL` when it was not sealed for this very place. */
  open(purpose: string, aad: string, sealed: Uint8Array): Uint8Array;
  /** Under which key it lies; its first five bytes are enough to tell. */
  keyOf(sealed: Uint8Array): SealKey;
  readonly fingerprint: string;
  /** `null` without a previous key. */
  readonly previousFingerprint: string | null;
};

/** A person as an identity provider knows them; the `subject` never changes, the rest may. */
export type ProviderProfile = {
  subject: string;
  name: string | null;
  email: string | null;
  /** Whether the provider says that the address is the person's. */
  isEmailVerified: boolean;
};

/** What ties the answer of an identity provider to the browser that asked: see RFC 7636 and OpenID Connect §3.1.2.1. */
export type ProviderChallenge = { state: string; codeVerifier: string; nonce: string };

/** One identity provider that is configured. */
export type IdentityProvider = {
  /** The issuer of its subjects: a URL. A subject is another user at another issuer (OpenID Connect Core §5.7). */
  issuer: string;
  /** Where to send the browser. Throws `PROVIDER_UNAVAILABLE` when the provider cannot be asked for its endpoints. */
  authorizationUrl(challenge: ProviderChallenge): Promise<string>;
  /** Exchanges the code for the person behind it, within 10 s. Throws `PROVIDER_UNAVAILABLE`, with the cause for the log. */
  identify(code: string, challenge: ProviderChallenge): Promise<ProviderProfile>;
};

/** The identity providers by name; `null` is not configured. */
export type IdentityProviders = Record<ProviderName, IdentityProvider | null>;

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
  secrets: SecretBox;
  mail: MailQueue;
  activity: ActivityRecorder;
  plugins: PluginService;
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
};

/** How a call came in, where calls are counted, and the origins of other sites that are listed. */
type CallView = { visitor: VisitorView; limiterStore: "memory" | "redis"; corsOrigins: string[] };

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
