import { useCallback, useState } from "react";
import { cleanupDays } from "#contract/activity.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatCount, formatDate } from "../format.ts";
import { cleanUp, countOlder } from "./api.ts";
import { dayCountComplaint, readDayCount } from "./cleanup-days.ts";
import { RetentionForm } from "./retention-form.tsx";
import { activityPageTexts, cleanupTexts as texts } from "./texts.ts";

type CleanupDialogProps = { onClose: () => void; onCleaned: () => void };

/** Says what a clean-up would remove and wants words typed before it does; below, what is removed by itself. */
export const CleanupDialog = ({ onClose, onCleaned }: CleanupDialogProps) => {
  const [days, setDays] = useState<number | null>(cleanupDays.default);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: {
      days: dayCountComplaint,
      word: (typed) => (typed.trim().toLowerCase() === texts.word ? null : texts.mismatch),
    },
    send: async (typed) => {
      const message = await cleanUp(Number(typed.days));
      notify({ tone: "success", message });
      onCleaned();
    },
    explain: (error) => failureText(error, activityTexts.cleanupFailed),
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <Field label={texts.days} error={errors.days} hint={<Preview days={days} />}>
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
      <RetentionForm />
    </Dialog>
  );
};

const dayMs = 86_400_000;

const Preview = ({ days }: { days: number | null }) => (
  <span aria-live="polite">{days !== null && <Removed days={days} />}</span>
);

const Removed = ({ days }: { days: number }) => {
  const load = useCallback(async () => {
    const moment = new Date(Date.now() - days * dayMs).toISOString();
    return { day: formatDate(moment), count: await countOlder(moment) };
  }, [days]);
  const { data, error, isLoading } = useLoad(load);
  if (error !== null) return texts.uncounted(formatDate(new Date(Date.now() - days * dayMs).toISOString()));
  if (data === null || isLoading) return texts.counting;
  const { day, count } = data;
  return count === 0 ? texts.removesNone(day) : texts.removes(formatCount(count), count === 1, day);
};
