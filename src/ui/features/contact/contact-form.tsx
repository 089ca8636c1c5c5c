import { useEffect, useRef, useState } from "react";
import { emailComplaint, nameComplaint } from "#contract/account-rules.ts";
import {
  contactSubjects,
  messageComplaint,
  plainMessage,
  subjectComplaint,
} from "#contract/contact-rules.ts";
import { contactTexts } from "#contract/contact-texts.ts";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { LeaveQuestion } from "#ui/components/leave-question.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import type { FormRules } from "#ui/components/ui/form-rules.ts";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { createMessageKey } from "./message-key.ts";
import { contactScreenTexts as texts } from "./texts.ts";
import { usePrefill } from "./use-prefill.ts";

const rules: FormRules<"name" | "email" | "subject" | "message"> = {
  name: nameComplaint,
  email: emailComplaint,
  subject: subjectComplaint,
  message: messageComplaint,
};

/** The form itself: once a message has arrived, subject and message are empty again for another. */
export const ContactForm = () => {
  const [messageKey] = useState(createMessageKey);
  const [sent, setSent] = useState<string | null>(null);
  const [isBegun, setIsBegun] = useState(false);
  const fields = {
    name: useRef<HTMLInputElement>(null),
    email: useRef<HTMLInputElement>(null),
    subject: useRef<HTMLSelectElement>(null),
    message: useRef<HTMLTextAreaElement>(null),
    outcome: useRef<HTMLDivElement>(null),
  };
  usePrefill(fields.name, fields.email);
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ name, email, message, ...typed }) => {
      // The rules let no other through.
      const subject = contactSubjects.find((known) => known === typed.subject);
      if (subject === undefined) return;
      setSent(null);
      const input = { name: name.trim(), email: email.trim(), subject, message: plainMessage(message) };
      const key = messageKey.for(input);
      setSent((await client.contact.send({ ...input, "idempotency-key": key })).message);
      messageKey.forget();
      setIsBegun(false);
      for (const { current } of [fields.subject, fields.message]) if (current !== null) current.value = "";
    },
    explain: (error) => failureText(error, contactTexts.sendFailed, pageAuthTexts.networkFailed),
  });
  const isSent = sent !== null && problem === null;
  const { outcome } = fields;
  // The button had the focus, and there is nothing left to press it for.
  useEffect(() => {
    if (isSent) outcome.current?.focus();
  }, [isSent, outcome]);
  return (
    <>
      <form aria-label={texts.form} {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <div ref={fields.outcome} tabIndex={-1} className="outline-none empty:hidden">
            {problem !== null && <Alert severity="error">{problem.message}</Alert>}
            {isSent && <Alert onClose={() => setSent(null)}>{sent}</Alert>}
          </div>
          <Field label={texts.name} error={errors.name}>
            <Input ref={fields.name} name="name" autoComplete="name" required />
          </Field>
          <Field label={texts.email} error={errors.email}>
            <Input
              ref={fields.email}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              required
            />
          </Field>
          <Field label={texts.subject} error={errors.subject}>
            <Select ref={fields.subject} name="subject" defaultValue="" required>
              <option value="" disabled>
                {texts.choose}
              </option>
              {contactSubjects.map((subject) => (
                <option key={subject}>{subject}</option>
              ))}
            </Select>
          </Field>
          <Field label={texts.message} error={errors.message}>
            <Textarea
              ref={fields.message}
              name="message"
              rows={4}
              required
              onChange={({ target }) => setIsBegun(target.value.trim() !== "")}
            />
          </Field>
          <Button type="submit" size="lg" isBusy={isBusy}>
            {texts.send}
          </Button>
        </fieldset>
      </form>
      <LeaveQuestion isHeld={isBegun} question={texts.unsent} />
    </>
  );
};
