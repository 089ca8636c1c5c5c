import { PageHeader } from "#app/ui";

/** What visitors read about notes. */
export const AboutNotesPage = () => (
  <div className="mx-auto grid w-full max-w-[44rem] gap-6 px-4 py-10 sm:px-6 sm:py-14">
    <PageHeader title="Notes" lead="Members keep notes here, with a date when something is due." />
    <p>Only you and the administrators of this site can read your notes.</p>
  </div>
);
