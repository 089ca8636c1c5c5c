import { type ComponentProps, type RefObject, useEffect, useRef, useState } from "react";
import type { Complaint } from "#contract/account-rules.ts";
import type { FieldError } from "#contract/errors.ts";
import { ApiError } from "#ui/lib/api.ts";

/** A failed submit that concerns no field: the sentence to show, and the failure itself. */
export type FormProblem = { message: string; cause: unknown };

type FormOptions<Name extends string> = {
  rules: FormRules<Name>;
  /** Called with what was typed once the rules find nothing wrong; a rejection becomes field errors or a problem. */
  send: (values: FormValues<Name>) => Promise<void>;
  /** The sentence for a failure, from the failure. */
  explain: (error: unknown) => string;
};

/**
 * State of one form whose fields keep their own text: nothing typed is lost by a failed submit, nor what was typed or
 * filled in by a password manager before the page became interactive. Focus goes to the first wrong field, else back
 * to where it was; a second submit while one runs is ignored.
 */
export const useForm = <Name extends string>({ rules, send, explain }: FormOptions<Name>) => {
  const names = fieldNames(rules);
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [complaints, setComplaints] = useState<FormErrors<Name>>({});
  const [refusals, setRefusals] = useState<FormErrors<Name>>({});
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [sent, setSent] = useState<FormValues<Name>>(() => readValues(names, new Map()));
  const [isBusy, setIsBusy] = useState(false);
  const refocus = useRefocus(form);

  const show = (next: {
    complaints?: FormErrors<Name>;
    refusals?: FormErrors<Name>;
    problem?: FormProblem;
  }) => {
    setComplaints(next.complaints ?? {});
    setRefusals(next.refusals ?? {});
    setProblem(next.problem ?? null);
  };

  const submit = async (data: FormData) => {
    if (isSending.current) return;
    const values = readValues(names, data);
    const found = complaintsAbout(rules, values);
    show({ complaints: found });
    if (Object.keys(found).length > 0) return refocus();
    isSending.current = true;
    setSent(values);
    setIsBusy(true);
    try {
      await send(values);
    } catch (error) {
      const { fields, rest } = sortServerErrors(names, error instanceof ApiError ? error.errors : []);
      const isPlaced = Object.keys(fields).length > 0 && rest.length === 0;
      // A conflict with several things names each of them; its message says all of it.
      const isConflict = error instanceof ApiError && error.status === 409;
      const problem = { message: (isConflict ? null : rest[0]) ?? explain(error), cause: error };
      show(isPlaced ? { refusals: fields } : { refusals: fields, problem });
      refocus();
    } finally {
      isSending.current = false;
      setIsBusy(false);
    }
  };

  const recheck = (target: EventTarget) => {
    if (!isControl(target) || form.current === null) return;
    const found = complaintsAbout(rules, readValues(names, new FormData(form.current)));
    setComplaints((shown) => stillWrong(shown, found));
    setRefusals((shown) => withoutField(shown, target.name));
  };

  const formProps: ComponentProps<"form"> = {
    ref: form,
    noValidate: true,
    // Should a browser ever submit it automatically, what was typed must not land in the address bar.
    method: "post",
    onSubmit: (event) => {
      event.preventDefault();
      void submit(new FormData(event.currentTarget, pressedButton(event.nativeEvent)));
    },
    onInput: (event) => recheck(event.target),
  };
  const errors: FormErrors<Name> = { ...refusals, ...complaints };
  return { formProps, errors, problem, isBusy, values: sent };
};

/** The button by which a form is submitted; where it has a name, its value is among what was typed. */
const pressedButton = (event: Event): HTMLButtonElement | null =>
  event instanceof SubmitEvent && event.submitter instanceof HTMLButtonElement ? event.submitter : null;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isControl = (target: EventTarget): target is Control =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

// Fields are disabled while sending, which drops the focus: it is given back once they can take it again.
const useRefocus = (form: RefObject<HTMLFormElement | null>) => {
  const [requests, setRequests] = useState(0);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const remember = () => {
      const { activeElement } = document;
      if (form.current?.contains(activeElement) === true) before.current = activeElement;
    };
    remember();
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, [form]);
  useEffect(() => {
    if (requests === 0) return;
    const target = form.current?.querySelector("[aria-invalid=true]") ?? before.current;
    if (target instanceof HTMLElement) target.focus();
  }, [requests, form]);
  return () => setRequests((count) => count + 1);
};

/** What was typed, by field name. */
type FormValues<Name extends string> = Record<Name, string>;

/** One rule a field; it may look at the other fields. */
export type FormRules<Name extends string> = Record<
  Name,
  (value: string, values: FormValues<Name>) => Complaint
>;

/** Complaints by field name; a field without one is absent. */
export type FormErrors<Name extends string> = Partial<Record<Name, string>>;

/** The field names in a record keyed by them. */
const fieldNames = <Name extends string>(record: Partial<Record<Name, unknown>>): Name[] =>
  Object.keys(record).filter((name): name is Name => name in record);

/** Every complaint that the rules have about what was typed; empty when it may be sent. */
export const complaintsAbout = <Name extends string>(
  rules: FormRules<Name>,
  values: FormValues<Name>,
): FormErrors<Name> => {
  const errors: FormErrors<Name> = {};
  for (const name of fieldNames(rules)) {
    const complaint = rules[name](values[name], values);
    if (complaint !== null) errors[name] = complaint;
  }
  return errors;
};

/**
 * Puts the server's complaints beside their fields. `rest` holds the sentences about what the form does not show,
 * so that none is swallowed.
 */
export const sortServerErrors = <Name extends string>(
  names: readonly Name[],
  errors: readonly FieldError[],
): { fields: FormErrors<Name>; rest: string[] } => {
  const fields: FormErrors<Name> = {};
  const rest: string[] = [];
  for (const { path, message } of errors) {
    const name = names.find((known) => known === path);
    if (name === undefined) rest.push(message);
    else fields[name] ??= message;
  }
  return { fields, rest };
};

/** Of the errors on show, those that the rules still raise, in their present words; no new one joins while typing. */
export const stillWrong = <Name extends string>(
  shown: FormErrors<Name>,
  complaints: FormErrors<Name>,
): FormErrors<Name> => {
  const next: FormErrors<Name> = { ...complaints };
  for (const name of fieldNames(next)) if (shown[name] === undefined) delete next[name];
  return next;
};

/** The errors without the one of field `edited`: what the server said of the old text says nothing of the new. */
export const withoutField = <Name extends string>(
  errors: FormErrors<Name>,
  edited: string,
): FormErrors<Name> => {
  const next: FormErrors<Name> = { ...errors };
  for (const name of fieldNames(next)) if (name === edited) delete next[name];
  return next;
};

/** Reads the named text controls of a form; one that is absent counts as empty. */
export const readValues = <Name extends string>(
  names: readonly Name[],
  data: { get(name: string): unknown },
): FormValues<Name> => {
  const entries = names.map((name) => {
    const value = data.get(name);
    return [name, typeof value === "string" ? value : ""];
  });
  return fromNames<Name>(entries);
};

// Object.fromEntries forgets its keys' type; these are exactly the names given.
const fromNames = <Name extends string>(entries: string[][]) =>
  Object.fromEntries(entries) as FormValues<Name>;
