import { useCallback, useState } from "react";
import type { Complaint } from "#contract/account-rules.ts";
import { cleanupDays, pageActivityTexts } from "#contract/activity.ts";
import { Form, FormButtons } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatCount, formatDate } from "../format.ts";
import { activityPageTexts, cleanupTexts, cleanupTexts as texts } from "./texts.ts";

type CleanupDialogProps = {
  onClose: () => void;
  onCleaned: () => void;
  /** For how long activities are kept was set: there may be fewer now. */
  onKept: () => void;
};

/** Says what a clean-up would remove and wants words typed before it does; below, what is removed automatically. */
export const CleanupDialog = ({ onClose, onCleaned, onKept }: CleanupDialogProps) => {
  const [days, setDays] = useState<number | null>(cleanupDays.default);
  const { errors, ...form } = useForm({
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
      <Form form={form}>
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
        <FormButtons
          onCancel={onClose}
          action={activityPageTexts.cleanUp}
          isBusy={form.isBusy}
          isDangerous
          cancel={texts.close}
        />
      </Form>
      <RetentionForm onKept={onKept} />
    </Dialog>
  );
};

/** For how long activities are kept before they are removed automatically; to keep them for less must be confirmed. */
const RetentionForm = ({ onKept }: { onKept: () => void }) => {
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
  const { errors, ...form } = useForm({
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
    <Form form={form}>
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
        isBusy={form.isBusy}
        className="sm:ml-auto"
      >
        {texts.save}
      </Button>
    </Form>
  );
};

const dayMs = 86_400_000;

/** Says how many activities a clean-up of what is older than so many days removes, and from before which date. */
const RemovalPreview = ({ days }: { days: number | null }) => (
  <span aria-live="polite">{days !== null && <Removed days={days} />}</span>
);

const Removed = ({ days }: { days: number }) => {
  const load = useCallback(async () => {
    const moment = new Date(Date.now() - days * dayMs).toISOString();
    const { data } = await client.activity.list({ endDate: moment, limit: 1 });
    return { day: formatDate(moment), count: data.pagination.total };
  }, [days]);
  const { data, error, isLoading } = useLoad(load);
  if (error !== null) return texts.uncounted(formatDate(new Date(Date.now() - days * dayMs).toISOString()));
  if (data === null || isLoading) return texts.counting;
  const { day, count } = data;
  return count === 0 ? texts.removesNone(day) : texts.removes(formatCount(count), count === 1, day);
};

/** The number of days that was typed, `null` for anything but a whole number within the bounds of cleaning up. */
export const readDayCount = (text: string): number | null => {
  const typed = text.trim();
  const days = Number(typed);
  return /^\d+$/.test(typed) && days >= cleanupDays.least && days <= cleanupDays.most ? days : null;
};

/** Complaint about a number of days. */
export const dayCountComplaint = (text: string): Complaint =>
  readDayCount(text) === null ? pageActivityTexts.daysOutOfBounds : null;

/** Whether keeping activities for what was typed instead of `days` (`null` for ever) removes some that were to stay. */
export const isShorter = (text: string, days: number | null): boolean => {
  const typed = readDayCount(text);
  return typed !== null && (days === null || typed < days);
};

/** Complaint about the words that confirm a clean-up. */
export const wordComplaint = (text: string): Complaint =>
  text.trim().toLowerCase() === cleanupTexts.word ? null : cleanupTexts.mismatch;
