import { type ComponentProps, type RefObject, useEffect, useRef, useState } from "react";
import { ApiError } from "#ui/lib/api.ts";
import {
  complaintsAbout,
  type FormErrors,
  type FormRules,
  type FormValues,
  fieldNames,
  readValues,
  sortServerErrors,
  stillWrong,
  withoutField,
} from "./form-rules.ts";

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
    // Should a browser ever submit it by itself, what was typed must not land in the address bar.
    method: "post",
    onSubmit: (event) => {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
    onInput: (event) => recheck(event.target),
  };
  const errors: FormErrors<Name> = { ...refusals, ...complaints };
  return { formProps, errors, problem, isBusy, values: sent };
};

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
