import {
  Alert,
  Button,
  Dialog,
  FieldInputs,
  failureText,
  fieldRules,
  notify,
  typedValues,
  useForm,
} from "#app/ui";
import { client } from "./client.ts";
import type { Note } from "./contract.ts";
import { noteFields } from "./fields.ts";

const rules = fieldRules(noteFields);

type NoteDialogProps = {
  /** The note to change; `null` for a new one. */
  note: Note | null;
  onClose: () => void;
  onDone: () => void;
};

/** The form of a note. */
export const NoteDialog = ({ note, onClose, onDone }: NoteDialogProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async (typed) => {
      const values = typedValues(noteFields, typed);
      const { message } = await (note === null
        ? client.create(values)
        : client.update({ id: note.id, ...values }));
      notify({ tone: "success", message });
      onClose();
      onDone();
    },
    explain: (error) => failureText(error, "The note could not be saved."),
  });
  return (
    <Dialog open onOpenChange={onClose} title={note === null ? "New note" : "Edit note"}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <FieldInputs fields={noteFields} values={note} errors={errors} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" isBusy={isBusy}>
              Save
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};
