import type { Database } from "#api/db/database.ts";
import type { ProviderName, User } from "#contract/users.ts";
import type { ActivityDesk } from "./activity.ts";
import type { Clock } from "./clock.ts";
import type { EventBus } from "./events.ts";
import type { Log } from "./log.ts";

/** Who acts: nobody known, a signed-in user (admins are users with that role), or the operator at the terminal. */
export type Actor =
  | { kind: "visitor" }
  | { kind: "user"; user: User; sessionHash: string }
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

/** Encrypts what must be readable again: see the adapter of that name. */
export type SecretBox = {
  seal(purpose: string, aad: string, plain: Uint8Array): Uint8Array;
  /** Throws `INTERNAL` when it was not sealed for this very place. */
  open(purpose: string, aad: string, sealed: Uint8Array): Uint8Array;
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

/** The mails that operations send, and the poke that makes the worker look at once. */
export type MailDesk = {
  /** Stores the mail in the caller's transaction. */
  enqueue(tx: Database, mail: Mail): Promise<void>;
  /** Tells the worker that rows were committed. */
  wake(): void;
};

/** What the database says of itself. */
export type DatabaseProbe = {
  kind: "postgres" | "embedded";
  /** Throws `DB_UNAVAILABLE` when no query gets through. */
  check(): Promise<void>;
  describe(): Promise<{ version: string; sizeBytes: number }>;
};

/** What the outbox says of itself: how mails leave, how many wait and how many were given up. */
export type OutboxProbe = {
  transport: "smtp" | "outbox";
  counts(): Promise<{ waiting: number; dead: number }>;
};

/** Facts of the running process. */
export type ProcessFacts = { version: string; startedAt: Date };

/** What outlives a request and is the same for every door. */
export type Services = {
  db: Database;
  /** For the short reads that most requests begin with: see the database's handle. */
  lookups: Database;
  database: DatabaseProbe;
  outbox: OutboxProbe;
  process: ProcessFacts;
  clock: Clock;
  events: EventBus;
  hasher: PasswordHasher;
  attempts: AttemptGuard;
  providers: IdentityProviders;
  secrets: SecretBox;
  mail: MailDesk;
  activity: ActivityDesk;
  /** Where contact messages are mailed to; `null` keeps them in the database alone. */
  contactEmail: string | null;
  log: Log;
  /** Public origin without trailing slash, the base of every mailed link. */
  appUrl: string;
};

/** What an operation knows of the world: the services, and who asks. */
export type Context = Services & {
  actor: Actor;
  requestId: string;
  /** The caller's address; `local` for the control socket. */
  ip: string;
  userAgent: string | null;
};
