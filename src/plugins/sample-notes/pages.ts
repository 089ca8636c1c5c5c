import { ListChecks, Settings2 } from "lucide-react";
import { type DashboardCard, definePages } from "#app/ui";

/** The pages of the feature. */
export const notePages = definePages("sample-notes", [
  {
    path: "/sample-notes",
    title: "Notes",
    access: "user",
    source: "notes-page.tsx",
    load: async () => (await import("./notes-page.tsx")).NotesPage,
    menu: { label: "Notes", Icon: ListChecks },
  },
  {
    path: "/sample-notes/*",
    title: "Note",
    access: "user",
    source: "note-page.tsx",
    load: async () => (await import("./note-page.tsx")).NotePage,
  },
  {
    path: "/sample-notes/about",
    title: "About notes",
    access: "public",
    description: "What notes are for.",
    source: "about-page.tsx",
    load: async () => (await import("./about-page.tsx")).AboutNotesPage,
    menu: { label: "Notes" },
  },
  {
    path: "/admin/sample-notes",
    title: "Notes",
    access: "admin",
    source: "all-notes-page.tsx",
    load: async () => (await import("./all-notes-page.tsx")).AllNotesPage,
    menu: { label: "Notes", Icon: ListChecks },
  },
  {
    path: "/admin/sample-notes/settings",
    title: "Settings of notes",
    access: "admin",
    skeleton: "settings",
    source: "settings-page.tsx",
    load: async () => (await import("./settings-page.tsx")).NoteSettingsPage,
    menu: { label: "Settings of notes", Icon: Settings2 },
  },
]);

/** What the feature adds to the dashboard. */
export const noteCards: readonly DashboardCard[] = [
  { name: "sample-notes", load: async () => (await import("./notes-card.tsx")).NotesCard },
];
