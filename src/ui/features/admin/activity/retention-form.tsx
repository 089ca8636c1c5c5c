import { useState } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { dayCountComplaint, isShorter, readDayCount, wordComplaint } from "./cleanup-days.ts";
import { RemovalPreview } from "./removal-preview.tsx";
import { cleanupTexts as texts } from "./texts.ts";

/** For how long activities are kept before they are removed by themselves; to keep them for less must be confirmed. */
export const RetentionForm = ({ onKept }: { onKept: () => void }) => {
  const { data, error } = useLoad(loadRetention);
  return (
    <div className="grid gap-4 border-border border-t pt-5">
      <h3 className="font-semibold text-sm tracking-tight">{texts.retention}</h3>
      {data === null && error === null && <Skeleton className="h-40 w-full" />}
      {data === null && error !== null && (
        <Alert severity="error">{failureText(error, texts.loadFailed)}</Alert>
      )}
      {data !== null && <Days days={data.days} onKept={onKept} />}
    </div>
  );
};

const loadRetention = async () => (await client.activity.retention()).data;

const Days = ({ days, onKept }: { days: number | null; onKept: () => void }) => {
  const [kept, setKept] = useState(days);
  const [text, setText] = useState("");
  const isCut = isShorter(text, kept);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: {
      days: (typed) => (typed.trim() === "" ? null : dayCountComplaint(typed)),
      word: (typed, values) => (isShorter(values.days, kept) ? wordComplaint(typed) : null),
    },
    send: async (typed) => {
      const wanted = readDayCount(typed.days);
      notify({ tone: "success", message: (await client.activity.setRetention({ days: wanted })).message });
      setKept(wanted);
      onKept();
    },
    explain: (error) => failureText(error, texts.saveFailed),
  });
  const hint = (
    <>
      {texts.keepHint} <RemovalPreview days={isCut ? readDayCount(text) : null} />
    </>
  );
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        <Field label={texts.keep} hint={hint} error={errors.days}>
          <Input
            name="days"
            inputMode="numeric"
            autoComplete="off"
            placeholder={texts.forever}
            defaultValue={days ?? ""}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        {isCut && (
          <Field label={texts.type} error={errors.word}>
            <Input name="word" autoComplete="off" autoCapitalize="none" spellCheck={false} required />
          </Field>
        )}
        <Button
          type="submit"
          variant={isCut ? "destructive" : "outline"}
          isBusy={isBusy}
          className="sm:ml-auto"
        >
          {texts.save}
        </Button>
      </fieldset>
    </form>
  );
};
