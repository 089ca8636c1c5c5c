import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { getRetention, setRetention } from "./api.ts";
import { dayCountComplaint, readDayCount } from "./cleanup-days.ts";
import { cleanupTexts as texts } from "./texts.ts";

/** For how long activities are kept before they are removed by themselves. */
export const RetentionForm = () => {
  // In an object of its own: `null` days are an answer too.
  const { data, error } = useLoad(loadRetention);
  return (
    <div className="grid gap-4 border-border border-t pt-5">
      <h3 className="font-semibold text-sm tracking-tight">{texts.retention}</h3>
      {data === null && error === null && <Skeleton className="h-26 w-full" />}
      {data === null && error !== null && (
        <Alert severity="error">{failureText(error, texts.loadFailed)}</Alert>
      )}
      {data !== null && <Days days={data.days} />}
    </div>
  );
};

const loadRetention = async () => ({ days: await getRetention() });

const Days = ({ days }: { days: number | null }) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { days: (typed) => (typed.trim() === "" ? null : dayCountComplaint(typed)) },
    send: async (typed) => notify({ tone: "success", message: await setRetention(readDayCount(typed.days)) }),
    explain: (error) => failureText(error, texts.saveFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-4">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        <Field label={texts.keep} hint={texts.keepHint} error={errors.days}>
          <div className="flex gap-2">
            <Input
              name="days"
              inputMode="numeric"
              autoComplete="off"
              placeholder={texts.forever}
              defaultValue={days ?? ""}
            />
            <Button type="submit" variant="outline" isBusy={isBusy}>
              {texts.save}
            </Button>
          </div>
        </Field>
      </fieldset>
    </form>
  );
};
