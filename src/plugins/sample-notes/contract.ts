import { type AnswerOf, fieldColumns, fieldSchemas, type InputOf, type Kit, operation } from "#app";
import { noteFields } from "./fields.ts";

const sampleId = "019a9f00-0000-7000-8000-000000000000";
const example = { title: "Call Ada", body: "About the invoice", due: "2026-12-01" };

const note = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    ...fieldSchemas(kit, noteFields),
    createdAt: kit.instant,
    updatedAt: kit.instant,
  });

/** A note with its member and their email address, for admins. */
const ownedNote = (kit: Kit) => kit.object({ ...note(kit).properties, userId: kit.uuid, member: kit.text() });

const search = (kit: Kit) =>
  kit.text({
    most: 200,
    default: "",
    description: "Part of a text, in any case",
    error: "Please use at most 200 characters",
  });
const page = (kit: Kit) => kit.exact({ search: search(kit), limit: kit.limit, offset: kit.offset });
const one = (kit: Kit) => kit.object({ id: kit.id("The note's id") });
const total = (kit: Kit) => ({ total: kit.integer(), totalIsEstimate: kit.totalIsEstimate });

/** What can be done with notes. */
export const notesContract = {
  list: operation("GET /api/sample-notes", {
    access: "user",
    responds: "data",
    schemas: (kit) => ({
      query: page(kit),
      answer: kit.object({ notes: kit.list(note(kit)), ...total(kit) }),
    }),
    summary: "List own notes",
    description: "Newest first; `search` matches all texts of a note.",
    example: { search: "ada", limit: "5" },
  }),
  get: operation("GET /api/sample-notes/:id", {
    access: "user",
    responds: "data",
    schemas: (kit) => ({ params: one(kit), answer: note(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Read a note",
    description: "One of the signed-in user's own.",
    example: { id: sampleId },
  }),
  create: operation("POST /api/sample-notes", {
    access: "user",
    changes: true,
    responds: "message",
    status: 201,
    schemas: (kit) => ({ body: kit.exact(fieldSchemas(kit, noteFields)), answer: note(kit) }),
    summary: "Create a note",
    description: "It belongs to the signed-in user.",
    example,
  }),
  update: operation("PUT /api/sample-notes/:id", {
    access: "user",
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact(fieldSchemas(kit, noteFields)),
      answer: note(kit),
    }),
    errors: ["NOT_FOUND"],
    summary: "Change a note",
    description: "Replaces all its texts.",
    example: { id: sampleId, ...example },
  }),
  remove: operation("DELETE /api/sample-notes/:id", {
    access: "user",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Delete a note",
    description: "This can't be undone.",
    example: { id: sampleId },
  }),
  listAll: operation("GET /api/sample-notes/all", {
    access: "admin",
    responds: "data",
    schemas: (kit) => ({
      query: page(kit),
      answer: kit.object({ notes: kit.list(ownedNote(kit)), ...total(kit) }),
    }),
    summary: "List the notes of all members",
    description: "Newest first; `search` matches all texts of a note.",
    example: { search: "ada", limit: "5" },
    commands: [
      {
        name: "list",
        action: "List notes",
        summary: "list the notes of all members",
        description: "Lists the notes of all members, newest first.",
        options: [
          { name: "search", value: "text", summary: "only notes with this text, in any case" },
          {
            name: "limit",
            value: "rows",
            type: "integer",
            least: 1,
            most: 100,
            summary: "how many to list (default: 25)",
          },
          {
            name: "offset",
            value: "rows",
            type: "integer",
            least: 0,
            summary: "how many to skip (default: 0)",
          },
        ],
        output: {
          table: {
            rows: "notes",
            empty: "No notes.",
            columns: [
              { title: "ID", field: "id" },
              { title: "Member", field: "member" },
              ...fieldColumns(noteFields),
              { title: "Created", field: "createdAt", format: "time" },
            ],
          },
        },
        examples: [{ summary: "Notes with a text", typed: "atrium sample-notes list --search ada" }],
      },
    ],
    tool: {
      name: "list_sample_notes",
      title: "List notes",
      description: "Lists the notes of all members, newest first.",
    },
  }),
  exportAll: operation("GET /api/sample-notes/export", {
    access: "admin",
    proof: "recent",
    responds: "file",
    schemas: (kit) => ({
      query: kit.exact({ search: search(kit) }),
      answer: kit.file("text/csv", "All matching notes"),
    }),
    summary: "Export the notes of all members",
    description: "The matching notes, newest first, as CSV (RFC 4180).",
    example: { search: "ada" },
    commands: [
      {
        name: "export",
        action: "Export notes",
        summary: "export the notes of all members as CSV",
        description: "Writes the matching notes of all members to standard output or to a file.",
        options: [{ name: "search", value: "text", summary: "only notes with this text, in any case" }],
        examples: [{ summary: "All of them", typed: "atrium sample-notes export --out notes.csv" }],
      },
    ],
  }),
  removeAny: operation("DELETE /api/sample-notes/all/:id", {
    access: "admin",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND"],
    summary: "Delete any member's note",
    description: "This can't be undone. The member is not notified. Recorded in the activity log.",
    example: { id: sampleId },
    commands: [
      {
        name: "delete",
        action: "Delete a note",
        summary: "delete a note permanently",
        description: "Deletes a member's note. This can't be undone. Asks for confirmation.",
        arguments: [{ name: "id", summary: "id of the note" }],
        asks: { question: "Delete the note {id} permanently?" },
        message: "Deleted the note",
        examples: [{ summary: "In a script", typed: `atrium sample-notes delete ${sampleId} --yes` }],
      },
    ],
  }),
};

export type OwnedNote = AnswerOf<typeof notesContract.listAll>["notes"][number];
export type Note = AnswerOf<typeof notesContract.get>;
export type NoteFields = InputOf<typeof notesContract.create>;
export type ListNotesInput = InputOf<typeof notesContract.list>;
