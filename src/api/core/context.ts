import type { Database } from "#api/db/database.ts";
import type { User } from "#contract/users.ts";
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

/** Bounds guessing. */
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
};

/** A mail before it is stored. Bodies are complete; `link` is shown in the log when no SMTP server is configured. */
export type Mail = { to: string; subject: string; text: string; html: string; link?: string };

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
  mail: MailDesk;
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
