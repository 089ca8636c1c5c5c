import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { settingsTabTexts as texts } from "../texts.ts";
import { draftOf, type FormDraft, patchOf } from "./form-draft.ts";
import { complaintsOf, type FormErrors, placeErrors } from "./form-errors.ts";
import { fieldsOf } from "./form-fields.ts";
import { SettingField } from "./setting-field.tsx";

type PluginSettingsFormProps = {
  name: string;
  opening: ShownSettings;
  onDirty: (isDirty: boolean) => void;
};

/** The form: what was typed stays until it is saved or dropped, and is checked as the server checks it. */
export const PluginSettingsForm = ({ name, opening, onDirty }: PluginSettingsFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(opening);
  const { schema, values, secrets } = shown;
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const saved = useMemo(() => draftOf(fields, values), [fields, values]);
  const [draft, setDraft] = useState(saved);
  const [errors, setErrors] = useState<FormErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [complaints, setComplaints] = useState(0);
  const isDirty = Object.keys(draft).some((path) => draft[path] !== saved[path]);
  const hasErrors = Object.keys(errors).length > 0;

  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => {
    if (complaints > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [complaints]);

  const complain = (found: FormErrors, words: string | null) => {
    setErrors(found);
    setProblem(words);
    setComplaints((count) => count + 1);
  };

  const set = (path: string, entry: FormDraft[string]) => {
    const next = { ...draft, [path]: entry };
    setDraft(next);
    if (!hasErrors) return;
    // What is mended goes; nothing new is said while somebody types.
    const found = complaintsOf({ schema, fields, draft: next, secrets });
    setErrors(
      Object.fromEntries(
        Object.entries(errors).flatMap(([other, message]) => {
          if (other !== path) return [[other, message]];
          return found[other] === undefined ? [] : [[other, found[other]]];
        }),
      ),
    );
  };

  const adopt = (next: ShownSettings) => {
    setShown(next);
    setDraft(draftOf(fieldsOf(next.schema), next.values));
  };

  const save = async () => {
    if (isSaving || !isDirty) return;
    const found = complaintsOf({ schema, fields, draft, secrets });
    if (Object.keys(found).length > 0) return complain(found, texts.wrong);
    setErrors({});
    setProblem(null);
    setIsSaving(true);
    try {
      const { message, data } = await client.plugins.setSettings({
        name,
        values: patchOf(fields, saved, draft),
      });
      adopt(data);
      notify({ tone: "success", message });
    } catch (error) {
      const { placed, rest } = placeErrors(fields, error instanceof ApiError ? error.errors : []);
      const isPlaced = Object.keys(placed).length > 0 && rest.length === 0;
      complain(placed, isPlaced ? texts.wrong : (rest[0] ?? failureText(error, texts.failed)));
    } finally {
      setIsSaving(false);
    }
  };

  const drop = () => {
    setDraft(saved);
    setErrors({});
    setProblem(null);
  };

  return (
    <form
      ref={form}
      noValidate
      method="post"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
      className="max-w-[44rem]"
    >
      <Card className="grid gap-5 p-5">
        {fields.map((field) => (
          <SettingField key={field.path} field={field} form={{ draft, errors, secrets, set }} />
        ))}
        {problem !== null && <Alert severity="error">{problem}</Alert>}
        <div className="flex flex-wrap items-center justify-end gap-2 border-border border-t pt-4">
          <p role="status" className="min-w-0 grow text-[0.8125rem] text-muted-foreground max-sm:basis-full">
            {isDirty ? texts.changed : texts.unchanged}
          </p>
          <Button variant="outline" aria-disabled={!isDirty} onClick={drop}>
            {texts.discard}
          </Button>
          <Button type="submit" aria-disabled={!isDirty || isSaving} aria-busy={isSaving}>
            {texts.save}
          </Button>
        </div>
      </Card>
    </form>
  );
};
