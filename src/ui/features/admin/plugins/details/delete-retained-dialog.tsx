import type { RetainedData } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { Losses, TypedName } from "../delete-plugin-dialog.tsx";
import { deleteTexts } from "../delete-texts.ts";
import { dataTexts as texts } from "./texts.ts";

type DeleteRetainedDialogProps = {
  name: string;
  retained: RetainedData;
  onClose: () => void;
  onChange: () => void;
};

/** Names what is lost of a former publisher's plugin, and wants the plugin's name typed. */
export const DeleteRetainedDialog = ({ name, retained, onClose, onChange }: DeleteRetainedDialogProps) => {
  const { publisher, publisherName, data } = retained;
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { name: (typed) => (typed.trim() === name ? null : deleteTexts.mismatch) },
    send: async () => {
      const { message } = await client.plugins.deleteRetained({ name, publisher });
      notify({ tone: "success", message });
      onClose();
      onChange();
    },
    explain: (failure) => failureText(failure, texts.deleteRetainedFailed),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.deleteRetainedTitle(publisherName)}
      description={texts.deleteRetainedLead}
    >
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Alert severity="warning">
            <Losses data={data} hasFailed={false} />
          </Alert>
          <TypedName name={name} error={errors.name} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {deleteTexts.cancel}
            </Button>
            <Button type="submit" variant="destructive" isBusy={isBusy}>
              {texts.deleteRetained}
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};
