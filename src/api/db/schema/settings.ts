import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ChangedField } from "#contract/settings.ts";
import { bytes, instant } from "./parts.ts";

/** What admins set, without secrets: a row for each section that was ever saved. */
export const settings = pgTable("settings", {
  section: text("section").primaryKey(),
  value: jsonb("value").$type<unknown>().notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Secrets of external services and sign-in providers by their path, such as `redis.password`, sealed for exactly this row. */
export const settingSecrets = pgTable("setting_secrets", {
  name: text("name").primaryKey(),
  sealed: bytes("sealed").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Who saved what, without secrets. The newest id is the generation of the settings. */
export const settingChanges = pgTable("setting_changes", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  section: text("section")
    .$type<"core" | "credentials" | "accounts" | "site" | "providers" | `features.${string}`>()
    .notNull(),
  changedAt: instant("changed_at").notNull(),
  /** Not a reference: the history outlives the account. */
  userId: uuid("user_id"),
  changedBy: text("changed_by").notNull(),
  fields: jsonb("fields").$type<ChangedField[]>().notNull(),
  revertsId: bigint("reverts_id", { mode: "number" }),
});

/** Files that the application stores, such as packages and backups: where each is, and what it must contain. */
export const storedObjects = pgTable(
  "stored_objects",
  {
    key: text("key").primaryKey(),
    /** Names this copy of the content: a moved or replaced object gets another one. */
    version: text("version").notNull(),
    /** Address of the bucket that holds the copy; `null` is the database itself. */
    bucket: text("bucket"),
    sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
    /** SHA-256 of the content, in hexadecimal digits. */
    digest: text("digest").notNull(),
    contentType: text("content_type").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("stored_objects_bucket").on(table.bucket)],
);

/** The content of copies in the database, in pieces that fit into memory. */
export const storedObjectParts = pgTable(
  "stored_object_parts",
  {
    version: text("version").notNull(),
    part: integer("part").notNull(),
    content: bytes("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.version, table.part] })],
);

/** Copies in buckets that no object needs: each is recorded before it is written, and until it is removed. */
export const storedObjectLeftovers = pgTable(
  "stored_object_leftovers",
  {
    bucket: text("bucket").notNull(),
    name: text("name").notNull(),
    removeAfter: instant("remove_after").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bucket, table.name] })],
);
