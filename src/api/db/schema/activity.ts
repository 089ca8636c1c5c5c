import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { bytes, instant } from "./parts.ts";

/**
 * The distinct combinations of what activities are filtered by, each with the exact number of its rows: one number in
 * place of five columns keeps one index for every filter, and a total is a sum over this small table.
 */
export const activityKinds = pgTable(
  "activity_kinds",
  {
    id: integer("id").primaryKey(),
    pluginName: text("plugin_name").notNull(),
    type: text("type", { enum: activityTypes }).notNull(),
    status: text("status", { enum: activityStatuses }).notNull(),
    severity: text("severity", { enum: activitySeverities }).notNull(),
    actorKind: text("actor_kind", { enum: actorKinds }).notNull(),
    rows: bigint("rows", { mode: "number" }).notNull().default(0),
    /** The newest row of the kind: the newest rows of many kinds are found among the few whose newest is newest. */
    lastId: bigint("last_id", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    unique("activity_kinds_combination").on(
      table.pluginName,
      table.type,
      table.status,
      table.severity,
      table.actorKind,
    ),
  ],
);

/** How many rows of each kind a day has, in UTC. */
export const activityDays = pgTable(
  "activity_days",
  {
    day: date("day", { mode: "string" }).notNull(),
    kindId: integer("kind_id").notNull(),
    rows: integer("rows").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kindId, table.day] }), index("activity_days_day").on(table.day)],
);

/**
 * The activity log. Rows are numbered without gaps in the order in which they were recorded, and their times never
 * decrease with it; `hash` is the SHA-256 over the row and the hash before it. Triggers refuse every change, and every
 * deletion above the chain's anchor.
 */
export const activities = pgTable(
  "activities",
  {
    id: bigint("id", { mode: "number" }).primaryKey(),
    kindId: integer("kind_id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    action: text("action").notNull(),
    description: text("description").notNull(),
    userId: uuid("user_id"),
    userEmail: text("user_email"),
    durationMs: integer("duration_ms"),
    /** How many times it happened, where repeats of a minute are one row. */
    occurrences: integer("occurrences").notNull().default(1),
    requestId: text("request_id"),
    ip: text("ip"),
    userAgent: text("user_agent"),
    /** JSON of `{before, after}`, secrets removed. */
    changes: text("changes"),
    hash: bytes("hash").notNull(),
    search: text("search").generatedAlwaysAs(
      sql`lower(action || E'\\n' || description || E'\\n' || coalesce(user_email, '') || E'\\n' || coalesce(ip, ''))`,
    ),
  },
  (table) => [
    index("activities_kind").on(table.kindId, table.id),
    index("activities_request").on(sql`request_id text_pattern_ops`),
    // With the block of 65,536 numbers in front, a search can go through the log block by block, the newest first.
    index("activities_search").using("gin", sql`(array[(id >> 16)::int])`, sql`${table.search} gin_trgm_ops`),
  ],
);

/**
 * Activities that were recorded in a transaction and have no number yet, taken over in the order of commits: facts as
 * JSON, sealed under the application's key, so that no other program can add one.
 */
export const activityInbox = pgTable("activity_inbox", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  fact: bytes("fact").notNull(),
});

/**
 * The one row (`id` 1) that says where the log ends and begins: its newest row, and the newest that retention removed.
 * Both are sealed under the application's key, so that write access to the database alone is not enough to create
 * another chain. Appending and removing holds its lock.
 */
export const activityChain = pgTable("activity_chain", {
  id: smallint("id").primaryKey(),
  headId: bigint("head_id", { mode: "number" }).notNull(),
  headHash: bytes("head_hash").notNull(),
  headAt: instant("head_at").notNull(),
  /** The transaction that appended last, set by a trigger: in it alone facts may leave the inbox. */
  headXid: bigint("head_xid", { mode: "number" }),
  anchorId: bigint("anchor_id", { mode: "number" }).notNull(),
  anchorHash: bytes("anchor_hash").notNull(),
  /** What was found changed behind the application's back, from then on for ever: sealed with the ends. */
  fault: text("fault"),
  /** Null until the first row. */
  seal: bytes("seal"),
});
