import { useState } from "react";
import { cleanupDays } from "#contract/activity.ts";
import { pageActivityTexts } from "#contract/activity-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { dayCountComplaint, readDayCount, wordComplaint } from "./cleanup-days.ts";
import { RemovalPreview } from "./removal-preview.tsx";
import { RetentionForm } from "./retention-form.tsx";
import { activityPageTexts, cleanupTexts as texts } from "./texts.ts";

type CleanupDialogProps = {
  onClose: () => void;
  onCleaned: () => void;
  /** For how long activities are kept was set: there may be fewer now. */
  onKept: () => void;
};

/** Says what a clean-up would remove and wants words typed before it does; below, what is removed by itself. */
export const CleanupDialog = ({ onClose, onCleaned, onKept }: CleanupDialogProps) => {
  const [days, setDays] = useState<number | null>(cleanupDays.default);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { days: dayCountComplaint, word: wordComplaint },
    send: async (typed) => {
      const { message } = await client.activity.cleanup({ days: Number(typed.days) });
      notify({ tone: "success", message });
      onCleaned();
    },
    explain: (error) => failureText(error, pageActivityTexts.cleanupFailed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.days} error={errors.days} hint={<RemovalPreview days={days} />}>
            <Input
              name="days"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={cleanupDays.default}
              onChange={({ target }) => setDays(readDayCount(target.value))}
              required
              autoFocus
            />
          </Field>
          <Field label={texts.type} error={errors.word}>
            <Input name="word" autoComplete="off" autoCapitalize="none" spellCheck={false} required />
          </Field>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {texts.close}
            </Button>
            <Button type="submit" variant="destructive" isBusy={isBusy}>
              {activityPageTexts.cleanUp}
            </Button>
          </div>
        </fieldset>
      </form>
      <RetentionForm onKept={onKept} />
    </Dialog>
  );
};
