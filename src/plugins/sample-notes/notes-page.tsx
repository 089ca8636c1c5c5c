import { useState } from "react";
import { Link } from "wouter";
import { Button, formatDate, ListPage } from "#app/ui";
import { client } from "./client.ts";
import { NoteDialog } from "./note-dialog.tsx";

/** A member's notes: to search, open and write. */
export const NotesPage = () => (
  <div className="mx-auto w-full max-w-[44rem] px-4 py-10 sm:px-6 sm:py-14">
    <ListPage
      title="Notes"
      load={loadNotes}
      none="No notes yet."
      actions={(reload) => <NewButton onDone={reload} />}
    >
      {(notes) => (
        <ul className="divide-y divide-border">
          {notes.map((note) => (
            <li key={note.id}>
              <Link href={`/sample-notes/${note.id}`} className="grid gap-1 p-4 hover:bg-muted">
                <span className="wrap-anywhere font-medium text-sm">{note.title}</span>
                <span className="text-muted-foreground text-sm">{formatDate(note.createdAt)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  </div>
);

const loadNotes = async (wanted: { search: string; limit: number; offset: number }) => {
  const { notes: rows, ...rest } = (await client.list(wanted)).data;
  return { rows, ...rest };
};

const NewButton = ({ onDone }: { onDone: () => void }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        New note
      </Button>
      {isOpen && <NoteDialog note={null} onClose={() => setIsOpen(false)} onDone={onDone} />}
    </>
  );
};
