import type { RawCommands } from "#contract/plugin-commands.ts";

/** Terminal commands of a plugin that keeps notes, as its manifest has them. */
export const notesCommands: RawCommands["list"] = [
  {
    name: "list",
    summary: "Lists notes",
    call: { method: "GET", path: "/notes" },
    options: [{ name: "per-page", summary: "How many", type: "integer", field: "perPage" }],
    output: {
      table: {
        rows: "entries",
        columns: [
          { title: "Text", field: "text" },
          { title: "By", field: "author.name" },
          { title: "Made", field: "at", format: "time" },
        ],
        empty: "No notes yet",
      },
    },
  },
  {
    name: "show",
    summary: "Shows a note",
    call: { method: "GET", path: "/notes/:id" },
    arguments: [{ name: "id", summary: "Which one" }],
    output: {
      fields: [
        { title: "text", field: "text" },
        { title: "size", field: "size", format: "bytes" },
      ],
    },
    examples: [{ summary: "One", typed: "atrium notes show 7" }],
  },
  {
    name: "set",
    summary: "Changes a note",
    call: { method: "PUT", path: "/notes/:id", body: { isPinned: true } },
    arguments: [
      { name: "id", summary: "Which one" },
      { name: "tag", summary: "A tag", required: false },
    ],
    options: [{ name: "loud", summary: "Tell everyone", type: "boolean", in: "query" }],
    input: { field: "text", summary: "The text", file: true },
  },
  {
    name: "drop",
    summary: "Deletes a note",
    call: { method: "DELETE", path: "/notes/:id" },
    arguments: [{ name: "id", summary: "Which one" }],
    confirm: "Delete the note {id}?",
  },
  { name: "sort", summary: "Sorts the notes", call: { method: "POST", path: "/sort" } },
];
