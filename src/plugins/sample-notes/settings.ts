import { featureSettings, integer } from "#app/settings";

/** What admins set of notes. */
export const noteSettings = featureSettings("sample-notes", {
  daysBefore: integer({
    default: 0,
    min: 0,
    max: 30,
    label: "Days before",
    hint: "How many days before a note is due its member is reminded.",
  }),
});
