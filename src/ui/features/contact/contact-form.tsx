import { useEffect, useRef, useState } from "react";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { contactSubjects, contactTexts } from "#contract/contact-rules.ts";
import {
  type MessageFieldName,
  messageField,
  messageFieldNames,
  messageRules,
  plainFields,
} from "#contract/message-fields.ts";
import { LeaveQuestion } from "#ui/components/leave-question.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { createMessageKey } from "./message-key.ts";
import { contactScreenTexts as texts } from "./texts.ts";
import { usePrefill } from "./use-prefill.ts";

/** The form itself: once a message has arrived, subject and message are empty again for another. */
export const ContactForm = () => {
  const [messageKey] = useState(createMessageKey);
  const [sent, setSent] = useState<string | null>(null);
  const [isBegun, setIsBegun] = useState(false);
  const fields = useRef<HTMLFieldSetElement>(null);
  const outcome = useRef<HTMLDivElement>(null);
  usePrefill(fields);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: messageRules,
    send: async (typed) => {
      // The rules let no other through.
      const subject = contactSubjects.find((known) => known === typed.subject);
      if (subject === undefined) return;
      setSent(null);
      const input = { ...plainFields(typed), subject };
      const key = messageKey.for(input);
      setSent((await client.contact.send({ ...input, "idempotency-key": key })).message);
      messageKey.forget();
      setIsBegun(false);
      const used = fields.current?.querySelectorAll<HTMLSelectElement | HTMLTextAreaElement>(
        "select, textarea",
      );
      for (const control of used ?? []) control.value = "";
    },
    explain: (error) => failureText(error, contactTexts.sendFailed, pageAuthTexts.networkFailed),
  });
  const isSent = sent !== null && problem === null;
  // The button had the focus, and there is nothing left to press it for.
  useEffect(() => {
    if (isSent) outcome.current?.focus();
  }, [isSent]);
  return (
    <>
      <form aria-label={texts.form} {...formProps}>
        <fieldset ref={fields} disabled={isBusy} className="grid gap-5">
          <div ref={outcome} tabIndex={-1} className="outline-none empty:hidden">
            {problem !== null && <Alert severity="error">{problem.message}</Alert>}
            {isSent && <Alert onClose={() => setSent(null)}>{sent}</Alert>}
          </div>
          {messageFieldNames.map((name) => (
            <Field key={name} label={messageField(name).label} error={errors[name]}>
              <Control name={name} onText={(text) => setIsBegun(text.trim() !== "")} />
            </Field>
          ))}
          <Button type="submit" size="lg" isBusy={isBusy}>
            {texts.send}
          </Button>
        </fieldset>
      </form>
      <LeaveQuestion isHeld={isBegun} question={texts.unsent} />
    </>
  );
};

type ControlProps = {
  name: MessageFieldName;
  /** Called with the text of several lines as it is typed. */
  onText: (text: string) => void;
};

const Control = ({ name, onText }: ControlProps) => {
  const { control, choices = [], autoComplete } = messageField(name);
  if (control === "text")
    return <Textarea name={name} rows={4} required onChange={({ target }) => onText(target.value)} />;
  if (control === "choice")
    return (
      <Select name={name} defaultValue="" required>
        <option value="" disabled>
          {texts.choose}
        </option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </Select>
    );
  const isEmail = autoComplete === "email";
  return (
    <Input
      name={name}
      type={isEmail ? "email" : "text"}
      inputMode={isEmail ? "email" : undefined}
      autoComplete={autoComplete}
      required
    />
  );
};
