import { type RefObject, useEffect, useRef, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import {
  contactSubjects,
  contactTexts,
  type MessageFieldName,
  messageField,
  messageFieldNames,
  messageRules,
  plainFields,
} from "#contract/contact-rules.ts";
import { LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useHydrated } from "#ui/lib/use-load.ts";

/** How to reach the operators of the site: what to expect, and the form. */
export const ContactPage = () => (
  <div className="mx-auto grid w-full max-w-[70rem] gap-x-16 gap-y-10 px-4 py-14 sm:px-6 sm:py-20 md:grid-cols-[1fr_minmax(0,30rem)] md:grid-rows-[auto_1fr]">
    <header>
      <h1 className="font-semibold text-3xl tracking-[-0.025em]">{contactScreenTexts.title}</h1>
      <p className="mt-4 max-w-[36rem] text-pretty text-lg text-muted-foreground">
        {contactScreenTexts.lead}
      </p>
      <p className="mt-4 max-w-[36rem] text-pretty">{contactScreenTexts.replies}</p>
      <SupportAddress />
    </header>
    <Card className="row-span-2 self-start p-6 sm:p-8">
      <ContactForm />
    </Card>
    <div className="grid content-start gap-8 border-border border-t pt-8">
      <section>
        <h2 className="font-semibold text-base tracking-tight">{contactScreenTexts.topicsTitle}</h2>
        <dl className="mt-3 grid gap-3">
          {contactScreenTexts.topics.map(({ name, text }) => (
            <div key={name}>
              <dt className="font-medium text-sm">{name}</dt>
              <dd className="text-muted-foreground text-sm">{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h2 className="font-semibold text-base tracking-tight">{contactScreenTexts.privacyTitle}</h2>
        <p className="mt-2 max-w-[36rem] text-pretty text-muted-foreground text-sm">
          {contactScreenTexts.privacy}
        </p>
      </section>
    </div>
  </div>
);

/** The form itself: once a message has arrived, subject and message are empty again for another. */
const ContactForm = () => {
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
      <form aria-label={contactScreenTexts.form} {...formProps}>
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
            {contactScreenTexts.send}
          </Button>
        </fieldset>
      </form>
      <LeaveQuestion isHeld={isBegun} question={contactScreenTexts.unsent} />
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
          {contactScreenTexts.choose}
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

/**
 * Fills in what the page before left in the history entry, and name and email address of the signed-in user, once known, into
 * those of the fields that are empty still: what was typed before stays.
 */
const usePrefill = (fields: RefObject<HTMLFieldSetElement | null>): void => {
  const { user } = useSession();
  const isHydrated = useHydrated();
  const arrival = useHistoryState<unknown>();
  useEffect(() => {
    if (!isHydrated) return;
    for (const known of [arrival, user])
      for (const name of messageFieldNames) {
        const value: unknown = Reflect.get(Object(known), name);
        const field = fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
        if (typeof value === "string" && field?.value === "") field.value = value;
      }
  }, [isHydrated, arrival, user, fields]);
};

/** Gives the key of a message that is being sent; made again as soon as the message is another one. */
type MessageKey = {
  for(content: object): string;
  /** The message has arrived: the same words again are meant to be sent again. */
  forget(): void;
};

/** Remembers the key of the message in hand, so that a retry is known for one wherever the first try got to. */
export const createMessageKey = (newKey: () => string = () => crypto.randomUUID()): MessageKey => {
  let known: { content: string; key: string } | null = null;
  return {
    for: (content) => {
      const text = JSON.stringify(content);
      if (known?.content !== text) known = { content: text, key: newKey() };
      return known.key;
    },
    forget: () => {
      known = null;
    },
  };
};

/** The other way to write, where the site has an address for it. */
const SupportAddress = () => {
  const { supportEmail } = useSite();
  return (
    <p data-when="support" className="mt-2">
      {contactScreenTexts.orEmail}{" "}
      <a href={`mailto:${supportEmail}`} className="wrap-anywhere text-primary underline underline-offset-4">
        {supportEmail}
      </a>
    </p>
  );
};

/** Words of the contact page that the server does not share; its sentences are in `contract/contact-texts.ts`. */
export const contactScreenTexts = {
  orEmail: "You can also write to",
  title: "Contact",
  lead: "A question, an idea, something not working? Write to us and a person will answer.",
  replies: "We reply within 24-48 hours to the email address you enter here.",
  topicsTitle: "Which subject",
  topics: [
    { name: "General", text: "Anything about this site and the team behind it" },
    { name: "Sales", text: "Pricing, licenses and partnerships" },
    { name: "Support", text: "Something isn't working, or you can't sign in" },
  ],
  privacyTitle: "What happens to your message",
  privacy: "Your message goes to the administrators of this site and is kept until one of them deletes it.",
  unsent: "Your message has not been sent and will be lost.",
  form: "Contact form",
  choose: "Choose a subject",
  send: "Send Message",
} as const;
