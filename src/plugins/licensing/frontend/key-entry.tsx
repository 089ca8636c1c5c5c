import {
  Alert,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  Field,
  failureText,
  Textarea,
  useForm,
} from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { LicenceView } from "../backend/wire.ts";
import { texts } from "./texts.ts";

type KeyEntryProps = { view: LicenceView; onEnter: (key: string) => Promise<void> };

/** A form for a license key, emptied once the key is accepted. */
export const KeyEntry = ({ view, onEnter }: KeyEntryProps) => {
  const [taken, setTaken] = useState(0);
  const { entry } = texts;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{view.state === "community" ? entry.title : entry.another}</CardTitle>
      </CardHeader>
      <CardContent>
        <KeyForm
          key={taken}
          hasLicence={view.owner !== null}
          onEnter={async (key) => {
            await onEnter(key);
            setTaken((times) => times + 1);
          }}
        />
      </CardContent>
    </Card>
  );
};

type KeyFormProps = { hasLicence: boolean; onEnter: (key: string) => Promise<void> };

const KeyForm = ({ hasLicence, onEnter }: KeyFormProps) => {
  const { entry } = texts;
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { key: (text: string) => (text.trim() === "" ? entry.missing : null) },
    send: ({ key }) => onEnter(key),
    explain: (error) => failureText(error, entry.failed),
  });
  return (
    <form {...formProps} className="grid gap-4">
      {problem !== null && <Alert severity="error">{problem.message}</Alert>}
      <Field label={entry.label} hint={entry.hint} error={errors.key}>
        <Textarea
          name="key"
          rows={5}
          placeholder={entry.placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          disabled={isBusy}
          className="break-all font-mono"
        />
      </Field>
      {hasLicence && <p className="text-muted-foreground text-sm leading-5">{entry.replaces}</p>}
      <div>
        <Button type="submit" isBusy={isBusy}>
          {entry.submit}
        </Button>
      </div>
    </form>
  );
};
