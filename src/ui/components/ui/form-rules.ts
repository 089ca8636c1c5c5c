import type { Complaint } from "#contract/account-rules.ts";
import type { FieldError } from "#contract/errors.ts";

/** What was typed, by field name. */
export type FormValues<Name extends string> = Record<Name, string>;

/** One rule a field; it may look at the other fields. */
export type FormRules<Name extends string> = Record<
  Name,
  (value: string, values: FormValues<Name>) => Complaint
>;

/** Complaints by field name; a field without one is absent. */
export type FormErrors<Name extends string> = Partial<Record<Name, string>>;

/** The field names in a record keyed by them. */
export const fieldNames = <Name extends string>(record: Partial<Record<Name, unknown>>): Name[] =>
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
