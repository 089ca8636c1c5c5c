import { defineFeature } from "#app";
import { notesContract } from "./contract.ts";
import { noteSettings } from "./settings.ts";

/** Notes that members keep for themselves. */
export const sampleNotes = defineFeature({
  name: "sample-notes",
  title: "Sample notes",
  contract: notesContract,
  settings: noteSettings,
  commands: { summary: "notes of members", description: "Notes that members keep for themselves" },
  server: () => import("./server.ts"),
});
