import { defineServer, rowPages } from "#app";
import { notesContract } from "./contract.ts";
import {
  changeNote,
  createNote,
  exportNotes,
  getNote,
  listAllNotes,
  listNotes,
  removeAnyNote,
  removeNote,
} from "./notes.ts";
import { remindMembers } from "./remind-members.ts";
import { selectOfMember } from "./store.ts";

/** What runs of the feature. */
export const server = defineServer(notesContract, {
  operations: {
    list: listNotes,
    get: getNote,
    create: createNote,
    update: changeNote,
    remove: removeNote,
    listAll: async (ctx, input) => listAllNotes(ctx, input),
    exportAll: exportNotes,
    removeAny: removeAnyNote,
  },
  jobs: {
    remind: { everyMs: 60 * 60 * 1000, run: remindMembers },
  },
  personal: {
    export: (db, userId) => rowPages((behind) => selectOfMember(db, userId, behind)),
  },
});
