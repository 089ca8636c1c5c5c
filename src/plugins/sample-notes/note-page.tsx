import { useCallback, useState } from "react";
import { useLocation, useRoute } from "wouter";
import {
  Alert,
  Button,
  Card,
  ConfirmDialog,
  FieldFacts,
  failureText,
  notify,
  PageHeader,
  Skeleton,
  useLoad,
} from "#app/ui";
import { client } from "./client.ts";
import type { Note } from "./contract.ts";
import { noteFields } from "./fields.ts";
import { NoteDialog } from "./note-dialog.tsx";

/** One of a member's notes: to read, change and delete. */
export const NotePage = () => {
  const [, params] = useRoute("/sample-notes/:id");
  const id = params?.id ?? "";
  const { data, error, reload } = useLoad(useCallback(async () => (await client.get({ id })).data, [id]));
  return (
    <div className="mx-auto w-full max-w-[44rem] px-4 py-10 sm:px-6 sm:py-14">
      {error !== null && (
        <Alert severity="error">{failureText(error, "The note could not be loaded.")}</Alert>
      )}
      {data === null && error === null && <Skeleton className="h-40" />}
      {data !== null && <NoteCard note={data} onDone={reload} />}
    </div>
  );
};

const NoteCard = ({ note, onDone }: { note: Note; onDone: () => void }) => {
  const [, go] = useLocation();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={note.title}
        actions={
          <div className="flex gap-2">
            <Button variant="outline" size="sm" onClick={() => setOpen("edit")}>
              Edit
            </Button>
            <Button variant="outline" size="sm" onClick={() => setOpen("delete")}>
              Delete
            </Button>
          </div>
        }
      />
      <Card className="p-5 sm:p-6">
        <FieldFacts fields={noteFields} values={note} />
      </Card>
      {open === "edit" && <NoteDialog note={note} onClose={close} onDone={onDone} />}
      <ConfirmDialog
        open={open === "delete"}
        onClose={close}
        title="Delete note"
        question={`Delete “${note.title}”? This can't be undone.`}
        action="Delete note"
        fallback="The note could not be deleted."
        onConfirm={async () => {
          const { message } = await client.remove({ id: note.id });
          notify({ tone: "success", message });
          go("/sample-notes");
        }}
      />
    </div>
  );
};
