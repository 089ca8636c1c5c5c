import type { ActivitySeverity, ActivityStatus, ActivityType, ActorKind } from "#contract/activity.ts";
import type { User } from "#contract/users.ts";
import type { Actor, Context } from "./context.ts";
import type { Database } from "./database.ts";

/** What to record, as the caller describes it; the rest comes from the context. */
export type ActivityEntry = {
  type: ActivityType;
  /** What was done, in a few words: "Changed the role of a user". */
  action: string;
  /** One sentence on who or what was affected and the outcome. Empty unless given. */
  description?: string;
  /** `success` unless given. */
  status?: ActivityStatus;
  /** `low` unless given. */
  severity?: ActivitySeverity;
  /** Atrium itself unless given. */
  pluginName?: string;
  durationMs?: number;
  /** The email address that a visitor entered. */
  userEmail?: string;
  /** The values before and after a change. Fields whose names suggest secrets are removed before it is stored. */
  before?: unknown;
  after?: unknown;
};

/** Who did something, from where, in which request. Of an actor that is not one person, only the kind is known. */
export type ActivitySource = {
  actor: Actor | { kind: "user"; user: User } | { kind: ActorKind };
  requestId: string | null;
  /** `local` for the control socket; `null` without a caller. */
  ip: string | null;
  userAgent: string | null;
};

/** An entry with its source and time. */
export type ActivityFact = { entry: ActivityEntry; source: ActivitySource; at: Date };

/** Records activities: see the `activity` module. */
export type ActivityRecorder = {
  /** Stores the fact in the caller's transaction: it is recorded if and only if that commits. */
  record(tx: Database, fact: ActivityFact): Promise<void>;
  /**
   * Queues the fact for the next batch and returns immediately. Repetitions within a minute become one row with a count,
   * and a flood is capped. Never throws.
   */
  note(fact: ActivityFact): void;
  /** Notifies the log's worker that facts were committed. */
  wake(): void;
  /** Resolves when every fact committed or queued so far has its number, so that a reader then misses none. */
  settle(): Promise<void>;
};

/** An entry by a user who has only just been identified; the context still has them as a visitor. */
export type AttributedEntry = ActivityEntry & { by?: User };

/** The fact of an entry: done now by the caller of `ctx`, or by the user that the entry is attributed to. */
export const factOf = (ctx: Context, { by, ...entry }: AttributedEntry): ActivityFact => ({
  entry,
  source: {
    actor: by === undefined ? ctx.actor : { kind: "user", user: by },
    requestId: ctx.requestId,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
  },
  at: ctx.clock.now(),
});

/** Queues an entry for the log's next batch. Use it for frequent events and for those that change nothing. */
export const noteActivity = (ctx: Context, entry: AttributedEntry): void =>
  ctx.activity.note(factOf(ctx, entry));
