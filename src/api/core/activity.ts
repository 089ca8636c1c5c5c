import {
  type ActivitySeverity,
  type ActivityStatus,
  type ActivityType,
  type ActorKind,
  coreName,
} from "#contract/activity.ts";
import type { User } from "#contract/users.ts";
import type { Actor, Context } from "./context.ts";
import type { Database } from "./database.ts";

/** What is to be recorded, in the words of whoever does it; the rest is taken from the context. */
export type ActivityEntry = {
  type: ActivityType;
  /** What was done, in a few words: "Changed the role of a user". */
  action: string;
  /** To whom or what, with which outcome: one sentence. Empty unless given. */
  description?: string;
  /** `success` unless given. */
  status?: ActivityStatus;
  /** `low` unless given. */
  severity?: ActivitySeverity;
  /** Atrium itself unless given. */
  pluginName?: string;
  durationMs?: number;
  /** For somebody who is not signed in: the address that they gave. */
  userEmail?: string;
  /** What a change replaced and by what. Fields whose names speak of secrets are left out before it is stored. */
  before?: unknown;
  after?: unknown;
};

/** Who did something, from where, in which request; of an actor that is not one person the kind alone is known. */
export type ActivitySource = {
  actor: Actor | { kind: "user"; user: User } | { kind: ActorKind };
  requestId: string | null;
  /** `local` for the control socket, `null` where nobody called. */
  ip: string | null;
  userAgent: string | null;
};

/** An entry with who, from where and when. */
export type ActivityFact = { entry: ActivityEntry; source: ActivitySource; at: Date };

/** Where activities are left to be recorded: see the module of that name. */
export type ActivityRecorder = {
  /** Stores the fact in the caller's transaction: it is recorded exactly when that commits. */
  record(tx: Database, fact: ActivityFact): Promise<void>;
  /**
   * Leaves the fact for the next batch and returns at once. The same again within a minute becomes one row with a
   * count, and of a flood only a bounded number is kept. Never throws.
   */
  note(fact: ActivityFact): void;
  /** Tells the log that facts were committed. */
  wake(): void;
  /** Waits until what was committed or recorded before has its number, so that who reads then misses none of it. */
  settle(): Promise<void>;
};

/** An entry of somebody who has shown only now who they are: to the context they are a visitor still. */
export type AttributedEntry = ActivityEntry & { by?: User };

/** The fact that the caller of `ctx`, or whom the entry is attributed to, did what it says, now. */
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

/** Leaves an entry for the log's next batch: for what happens often, and for what changes nothing. */
export const noteActivity = (ctx: Context, entry: AttributedEntry): void =>
  ctx.activity.note(factOf(ctx, entry));

/** The name under which an entry stands in the log. */
export const pluginNameOf = ({ pluginName }: ActivityEntry): string => pluginName ?? coreName;
