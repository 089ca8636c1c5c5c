import { and, desc, eq, getTableColumns, gt, lt, type SQL } from "drizzle-orm";
import { containsText, countFound, type Database, rowsAtATime, textColumns, users } from "#app/db";
import type { ListNotesInput, Note, NoteFields, OwnedNote } from "./contract.ts";
import { noteFields } from "./fields.ts";
import { notes } from "./schema.ts";

type Row = typeof notes.$inferSelect;

const toNote = ({ userId: _, createdAt, updatedAt, ...note }: Row): Note => ({
  ...note,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const foundBy = (search: string): SQL | undefined =>
  containsText(textColumns(notes, noteFields), search.trim());

/** One page of a member's notes, newest first, and how many match. */
export const selectNotes = async (
  db: Database,
  userId: string,
  { search, limit, offset }: ListNotesInput,
) => {
  const wanted = and(eq(notes.userId, userId), foundBy(search));
  // Later notes have later ids.
  const rows = await db
    .select()
    .from(notes)
    .where(wanted)
    .orderBy(desc(notes.id))
    .limit(limit)
    .offset(offset);
  return { notes: rows.map(toNote), ...(await countFound(db, notes, wanted)) };
};

/** The same of all members. */
export const selectAllNotes = async (db: Database, { search, limit, offset }: ListNotesInput) => ({
  notes: await selectOwned(db, foundBy(search), { limit, offset }),
  ...(await countFound(db, notes, foundBy(search))),
});

/** The next notes of all members behind an id, newest first; `null` begins. */
export const selectBehind = (db: Database, search: string, id: string | null): Promise<OwnedNote[]> =>
  selectOwned(db, and(foundBy(search), id === null ? undefined : lt(notes.id, id)), {
    limit: rowsAtATime,
    offset: 0,
  });

const selectOwned = async (
  db: Database,
  wanted: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<OwnedNote[]> => {
  const rows = await db
    .select({ row: getTableColumns(notes), member: users.email })
    .from(notes)
    .innerJoin(users, eq(users.id, notes.userId))
    .where(wanted)
    .orderBy(desc(notes.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ row, member }) => ({ ...toNote(row), userId: row.userId, member }));
};

/** A member's next notes behind an id, oldest first, for the file of their own data. */
export const selectOfMember = (db: Database, userId: string, behind: string | null) =>
  db
    .select()
    .from(notes)
    .where(and(eq(notes.userId, userId), behind === null ? undefined : gt(notes.id, behind)))
    .orderBy(notes.id)
    .limit(rowsAtATime);

/** A note of a member, or `null`. */
export const findNote = async (db: Database, userId: string, id: string): Promise<Note | null> => {
  const [row] = await db.select().from(notes).where(ofMember(userId, id));
  return row ? toNote(row) : null;
};

const ofMember = (userId: string, id: string) => and(eq(notes.id, id), eq(notes.userId, userId));

/** Stores a new note. */
export const insertNote = async (
  db: Database,
  note: NoteFields & { id: string; userId: string; createdAt: Date },
): Promise<Note> => {
  const row = { ...note, updatedAt: note.createdAt };
  await db.insert(notes).values(row);
  return toNote(row);
};

/** The changed note, or `null` where the member has none of that id. */
export const updateNote = async (
  db: Database,
  { userId, id, ...changed }: NoteFields & { userId: string; id: string; updatedAt: Date },
): Promise<Note | null> => {
  const [row] = await db.update(notes).set(changed).where(ofMember(userId, id)).returning();
  return row ? toNote(row) : null;
};

/** Deletes a member's note, or with `userId` null anyone's; resolves to what it was, or `null`. */
export const deleteNote = async (db: Database, userId: string | null, id: string): Promise<Row | null> => {
  const [row] = await db
    .delete(notes)
    .where(userId === null ? eq(notes.id, id) : ofMember(userId, id))
    .returning();
  return row ?? null;
};
