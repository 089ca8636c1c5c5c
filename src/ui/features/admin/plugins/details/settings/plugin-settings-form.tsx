import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../../access-error.tsx";
import { SecretField, SwitchRow } from "../../../settings/setting-rows.tsx";
import { settingsTabTexts as texts } from "../texts.ts";
import {
  complaintsOf,
  defaultWhenEmpty,
  draftOf,
  type FormDraft,
  type FormErrors,
  type FormField,
  fieldsOf,
  patchOf,
  placeErrors,
} from "./form-draft.ts";

type SettingsTabProps = { name: string; onDirty: (isDirty: boolean) => void };

/** A plugin's settings, in a form that is drawn from what its manifest says of them. */
export const SettingsTab = ({ name, onDirty }: SettingsTabProps) => {
  const opening = useRef<ShownSettings | null>(null);
  // Once is enough: what comes later must take nothing from anyone who is typing.
  const load = useCallback(async () => {
    opening.current ??= (await client.plugins.settings({ name })).data;
    return opening.current;
  }, [name]);
  const { data, error, reload } = useLoad(load);
  if (data !== null) return <PluginSettingsForm name={name} opening={data} onDirty={onDirty} />;
  if (error !== null) return <AccessError error={error} hasData={false} onRetry={reload} />;
  return (
    <div aria-busy="true">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-64 w-full" />
    </div>
  );
};

type PluginSettingsFormProps = {
  name: string;
  opening: ShownSettings;
  onDirty: (isDirty: boolean) => void;
};

/** The form: what was typed stays until it is saved or dropped, and is checked as the server checks it. */
const PluginSettingsForm = ({ name, opening, onDirty }: PluginSettingsFormProps) => {
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
    // What is fixed goes; nothing new is said while someone types.
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

/** What fields need of their form. */
type FormState = {
  draft: FormDraft;
  errors: FormErrors;
  secrets: Record<string, boolean>;
  set: (path: string, entry: FormDraft[string]) => void;
};

type SettingFieldProps = { field: FormField; form: FormState };

/** One setting, drawn as its schema says. */
const SettingField = ({ field, form }: SettingFieldProps) => {
  const { path, label, schema, kind } = field;
  const entry = form.draft[path];
  const words = { label, hint: schema.description, error: form.errors[path] };
  switch (kind) {
    case "group":
      return <Group field={field} form={form} />;
    case "switch":
      return <SwitchRow {...words} checked={entry === true} onChange={(isOn) => form.set(path, isOn)} />;
    case "secret":
      return (
        <SecretField
          {...words}
          name={path}
          value={entry === null ? null : String(entry ?? "")}
          isStored={form.secrets[path] === true}
          placeholder={schema["x-placeholder"]}
          onChange={(value) => form.set(path, value)}
        />
      );
    default:
      return <TextLike field={field} form={form} />;
  }
};

const Group = ({ field, form }: SettingFieldProps) => (
  <fieldset className="grid min-w-0 gap-4 rounded-md border border-border p-4">
    <legend className="px-1 font-medium text-sm">{field.label}</legend>
    {field.schema.description !== undefined && (
      <p className="text-[0.8125rem] text-muted-foreground">{field.schema.description}</p>
    )}
    {field.fields.map((inner) => (
      <SettingField key={inner.path} field={inner} form={form} />
    ))}
  </fieldset>
);

const TextLike = ({ field, form }: SettingFieldProps) => {
  const { path, label, schema, kind } = field;
  const fallback = defaultWhenEmpty(field, form.draft);
  const hint = [
    schema.description,
    kind === "list" ? texts.listHint : undefined,
    fallback === undefined ? undefined : texts.emptyHint(String(fallback)),
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <Field label={label} hint={hint === "" ? undefined : hint} error={form.errors[path]}>
      <Control field={field} form={form} />
    </Field>
  );
};

const Control = ({ field: { path, schema, kind }, form }: SettingFieldProps) => {
  const props = {
    name: path,
    placeholder: schema["x-placeholder"],
    value: String(form.draft[path] ?? ""),
    onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
  };
  if (kind === "choice") {
    return (
      <Select name={path} value={props.value} onChange={props.onChange}>
        {/* Something is always chosen where there is a default. */}
        {(schema.default === undefined || props.value === "") && <option value="">–</option>}
        {schema.enum?.map((choice, index) => (
          <option key={String(choice)} value={index}>
            {String(choice)}
          </option>
        ))}
      </Select>
    );
  }
  if (kind === "multiline" || kind === "list")
    return (
      <Textarea
        rows={4}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...props}
      />
    );
  return <PlainInput {...props} inputMode={kind === "number" ? "decimal" : undefined} />;
};
