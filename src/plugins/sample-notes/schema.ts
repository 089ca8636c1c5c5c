import { date, index, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appSchema, instant, users } from "#app/db";

/** Notes; they are deleted with the account that they belong to. */
export const notes = appSchema.table(
  "sample_notes",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    body: text("body"),
    due: date("due"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("sample_notes_of_user").on(table.userId, table.id)],
);

/** Of which notes their members were reminded, and for which day. */
export const reminders = appSchema.table(
  "sample_note_reminders",
  {
    noteId: uuid("note_id")
      .notNull()
      .references(() => notes.id, { onDelete: "cascade" }),
    due: date("due").notNull(),
  },
  (table) => [primaryKey({ columns: [table.noteId, table.due] })],
);
