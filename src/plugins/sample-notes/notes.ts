import {
  AppError,
  adminAction,
  type Context,
  csvRecord,
  type Download,
  isId,
  namesOf,
  newId,
  recordActivity,
  requireAdmin,
  requireUser,
  rowPages,
  sentPieces,
} from "#app";
import type { ListNotesInput, Note, NoteFields, OwnedNote } from "./contract.ts";
import { noteFields } from "./fields.ts";
import {
  deleteNote,
  findNote,
  insertNote,
  selectAllNotes,
  selectBehind,
  selectNotes,
  updateNote,
} from "./store.ts";

/** The signed-in user's notes, newest first. */
export const listNotes = (ctx: Context, input: ListNotesInput) =>
  selectNotes(ctx.db, requireUser(ctx).id, input);

/** One of the signed-in user's notes. Throws `NOT_FOUND`. */
export const getNote = async (ctx: Context, { id }: { id: string }): Promise<Note> =>
  known(await findNote(ctx.db, requireUser(ctx).id, noteId(id)));

/** Stores a note of the signed-in user. */
export const createNote = async (ctx: Context, fields: NoteFields) => {
  const { id: userId } = requireUser(ctx);
  const note = { ...fields, id: newId(), userId, createdAt: ctx.clock.now() };
  return { message: "The note was created", data: await insertNote(ctx.db, note) };
};

/** Changes one of the signed-in user's notes. Throws `NOT_FOUND`. */
export const changeNote = async (ctx: Context, { id, ...fields }: NoteFields & { id: string }) => {
  const { id: userId } = requireUser(ctx);
  const changed = { ...fields, userId, id: noteId(id), updatedAt: ctx.clock.now() };
  return { message: "The note was changed", data: known(await updateNote(ctx.db, changed)) };
};

/** Deletes one of the signed-in user's notes. Throws `NOT_FOUND`. */
export const removeNote = async (ctx: Context, { id }: { id: string }) => {
  known(await deleteNote(ctx.db, requireUser(ctx).id, noteId(id)));
  return { message: "The note was deleted" };
};

/** The notes of all members, newest first. For admins and the operator. */
export const listAllNotes = (ctx: Context, input: ListNotesInput) => {
  requireAdmin(ctx);
  return selectAllNotes(ctx.db, input);
};

/** The same as a file. For admins and the operator. */
export const exportNotes = async (ctx: Context, { search }: { search: string }): Promise<Download> => {
  requireAdmin(ctx);
  const pages = rowPages((behind) => selectBehind(ctx.db, search, behind));
  // Read before the file begins: a database that is away is an error with words until then.
  const { value: first = [] } = await pages.next();
  recordActivity(ctx, { type: "api_call", action: "Downloaded notes", severity: "medium" });
  return {
    fileName: `sample-notes-${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
    contentType: "text/csv; charset=utf-8; header=present",
    pieces: sentPieces(ctx, csvOf(first, pages)),
  };
};

const columns = ["id", "member", ...namesOf(noteFields), "createdAt", "updatedAt"] as const;

async function* csvOf(first: OwnedNote[], pages: AsyncIterable<OwnedNote[]>): AsyncGenerator<string> {
  yield csvRecord(columns) + linesOf(first);
  for await (const rows of pages) yield linesOf(rows);
}

const linesOf = (rows: OwnedNote[]): string =>
  rows.map((row) => csvRecord(columns.map((column) => row[column]))).join("");

/** Deletes a note of any member. For admins and the operator. Throws `NOT_FOUND`. */
export const removeAnyNote = async (ctx: Context, { id }: { id: string }) => {
  const act = {
    type: "admin_action",
    action: "Deleted a member's note",
    severity: "medium",
    described: ({ userId }: { userId: string }) => ({ description: `A note of the user ${userId}` }),
  } as const;
  await adminAction(ctx, act, async (tx) => known(await deleteNote(tx, null, noteId(id))));
  return { message: "The note was deleted" };
};

/** The id of a note that may exist. Throws `NOT_FOUND` for a text that is no id at all. */
const noteId = (text: string): string => {
  if (!isId(text)) throw unknownNote();
  return text;
};

const known = <T>(found: T | null): T => {
  if (found === null) throw unknownNote();
  return found;
};

const unknownNote = (): AppError =>
  new AppError("NOT_FOUND", "This note doesn't exist; it may have been deleted");
