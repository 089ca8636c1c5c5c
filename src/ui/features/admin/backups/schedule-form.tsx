import { useState } from "react";
import type { BackupSchedule, ScheduleChange } from "#api/modules/backups/contract.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { backupBounds, pageBackupTexts } from "#contract/backup-texts.ts";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { withPaths } from "../with-paths.ts";
import { backupPageTexts, scheduleTexts as texts } from "./texts.ts";

type ScheduleFormProps = { schedule: BackupSchedule; hasStorage: boolean; onSaved: () => void };

/** When backups are made automatically, whereto, how many are kept, and for whom they are encrypted. */
export const ScheduleForm = ({ schedule, hasStorage, onSaved }: ScheduleFormProps) => {
  const [mode, setMode] = useState<string>(modeOf(schedule));
  const { every } = schedule;
  const { errors, ...form } = useForm({
    rules: scheduleRules,
    send: async (typed) => {
      const saved = withPaths(client.backups.setSchedule(readTyped(typed)), (path) =>
        fieldOf(path, typed.mode),
      );
      notify({ tone: "success", message: (await saved).message });
      onSaved();
    },
    explain: (error) => failureText(error, texts.saveFailed),
  });
  return (
    <Card aria-labelledby="schedule-title" className="min-w-0">
      <header className="grid gap-1 border-border border-b px-5 py-4">
        <CardTitle id="schedule-title" className="text-base">
          {texts.title}
        </CardTitle>
        <p className="text-[0.8125rem] text-muted-foreground">{texts.lead}</p>
      </header>
      <div className="p-5">
        <Form
          form={form}
          action={texts.save}
          className="items-start sm:grid-cols-2"
          alert={
            form.problem !== null && (
              <Alert severity="error" className="sm:col-span-2">
                {form.problem.message}
              </Alert>
            )
          }
        >
          <Field label={texts.when}>
            <Select
              name="mode"
              value={mode}
              onChange={({ target }) => setMode(target.value)}
              options={Object.entries(texts.modes)}
            />
          </Field>
          {mode === "hours" && (
            <Field label={texts.hours} error={errors.hours}>
              <Input
                name="hours"
                inputMode="numeric"
                autoComplete="off"
                defaultValue={"hours" in every ? every.hours : 24}
              />
            </Field>
          )}
          {mode === "daily" && (
            <Field label={texts.time} hint={texts.timeHint} error={errors.dailyAt}>
              <Input
                name="dailyAt"
                autoComplete="off"
                defaultValue={"dailyAt" in every ? every.dailyAt : "03:00"}
              />
            </Field>
          )}
          <Field
            label={texts.place}
            {...(!hasStorage && { hint: texts.noStorage })}
            className="sm:col-start-1"
          >
            <Select name="place" defaultValue={schedule.place}>
              <option value="folder">{backupPageTexts.places.folder}</option>
              <option value="storage" disabled={!hasStorage}>
                {backupPageTexts.places.storage}
              </option>
            </Select>
          </Field>
          <Field
            label={texts.keepLast}
            hint={texts.keepLastHint}
            error={errors.keepLast}
            className="sm:col-start-1"
          >
            <Input
              name="keepLast"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={schedule.keepLast ?? ""}
            />
          </Field>
          <Field label={texts.keepDays} hint={texts.keepDaysHint} error={errors.keepDays}>
            <Input
              name="keepDays"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={schedule.keepDays ?? ""}
            />
          </Field>
          <Field
            label={texts.recipients}
            hint={texts.recipientsHint}
            error={errors.recipients}
            className="sm:col-span-2"
          >
            <Textarea
              name="recipients"
              rows={2}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
              defaultValue={schedule.recipients.join("\n")}
            />
          </Field>
        </Form>
      </div>
    </Card>
  );
};

/** How the schedule counts. */
type ScheduleMode = "off" | "hours" | "daily";

/** What was typed into the schedule's fields; those that the mode does not show are empty. */
type TypedSchedule = Record<
  "mode" | "hours" | "dailyAt" | "place" | "keepLast" | "keepDays" | "recipients",
  string
>;

/** How a schedule counts. */
const modeOf = ({ isEnabled, every }: BackupSchedule): ScheduleMode => {
  if (!isEnabled) return "off";
  return "hours" in every ? "hours" : "daily";
};

const isWhole = (text: string, most: number) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most;
};

/** What the server would say of each field, in its own words. */
const scheduleRules = {
  mode: (): Complaint => null,
  hours: (text: string, { mode }: TypedSchedule): Complaint =>
    mode !== "hours" || isWhole(text, backupBounds.everyHours) ? null : pageBackupTexts.badHours,
  dailyAt: (text: string, { mode }: TypedSchedule): Complaint =>
    mode !== "daily" || /^([01]\d|2[0-3]):[0-5]\d$/.test(text.trim()) ? null : pageBackupTexts.badTime,
  place: (): Complaint => null,
  keepLast: (text: string): Complaint =>
    text.trim() === "" || isWhole(text, backupBounds.keepLast) ? null : pageBackupTexts.badKept,
  keepDays: (text: string): Complaint =>
    text.trim() === "" || isWhole(text, backupBounds.keepDays) ? null : pageBackupTexts.badDays,
  recipients: (text: string): Complaint =>
    linesOf(text).every((line) => /^age1[02-9ac-hj-np-z]{58}$/.test(line)) ? null : texts.badRecipient,
};

const linesOf = (text: string) => text.split(/[\s,]+/).filter((line) => line !== "");
const countOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** What to send for it; while it is off, what it was before stays for the next time. */
const readTyped = (typed: TypedSchedule): ScheduleChange => ({
  isEnabled: typed.mode !== "off",
  ...(typed.mode === "hours" && { every: { hours: Number(typed.hours) } }),
  ...(typed.mode === "daily" && { every: { dailyAt: typed.dailyAt.trim() } }),
  place: typed.place === "storage" ? "storage" : "folder",
  keepLast: countOf(typed.keepLast),
  keepDays: countOf(typed.keepDays),
  recipients: linesOf(typed.recipients),
});

/** The field of this form that a path of the server's complaint is about. */
const fieldOf = (path: string, mode: string): string => {
  const [name = ""] = path.split(".");
  if (name !== "every") return name;
  return mode === "hours" ? "hours" : "dailyAt";
};
