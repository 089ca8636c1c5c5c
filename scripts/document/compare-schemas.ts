import { type ApiDocument, resolveIn, type Schema } from "../client/document-types.ts";

/** What is said of a place at which two schemas differ so that somebody's program would break. */
export type Complain = (place: string, problem: string) => void;

/** Two documents, and where what is wrong goes. */
export type Comparison = { before: ApiDocument; after: ApiDocument; complain: Complain };

/** Tells where `after` would refuse what could be sent so far. */
export const compareSent = (before: Schema, after: Schema, place: string, how: Comparison): void => {
  const [old, now] = [resolveIn(how.before, before), resolveIn(how.after, after)];
  if (hasForms(old) || hasForms(now)) {
    const others = formsOf(now, how.after);
    for (const form of formsOf(old, how.before))
      if (!others.some((other) => isFine(compareSent, form, other, how)))
        how.complain(place, `no longer takes ${nameOf(form)}`);
    return;
  }
  const [kinds, taken] = [kindsOf(old), kindsOf(now)];
  for (const kind of kinds) if (!isAmong(kind, taken)) how.complain(place, `no longer takes ${kind}`);
  for (const value of lost(wordsOf(old), wordsOf(now)))
    how.complain(place, value === null ? "takes only certain values" : `no longer takes ${value}`);
  compareBounds(old, now, place, how);
  for (const name of now.required ?? [])
    if (!(old.required ?? []).includes(name)) how.complain(`${place}.${name}`, "has to be sent");
  for (const [name, inner] of Object.entries(old.properties ?? {})) {
    const other = now.properties?.[name];
    if (other) compareSent(inner, other, `${place}.${name}`, how);
    else if (now.additionalProperties === false) how.complain(`${place}.${name}`, "is no longer taken");
  }
  if (old.items && now.items) compareSent(old.items, now.items, `${place}[]`, how);
};

/** Tells where `after` lacks what could be relied on in an answer so far, or has something of another kind. */
export const compareAnswered = (before: Schema, after: Schema, place: string, how: Comparison): void => {
  const [old, now] = [resolveIn(how.before, before), resolveIn(how.after, after)];
  if (hasForms(old) || hasForms(now)) {
    const others = formsOf(old, how.before);
    for (const form of formsOf(now, how.after))
      if (!others.some((other) => isFine(compareAnswered, other, form, how)))
        how.complain(place, `may be ${nameOf(form)} of another form than it was`);
    return;
  }
  const known = kindsOf(old);
  const kinds = kindsOf(now);
  if (known.length > 0 && kinds.length === 0) how.complain(place, "may be anything");
  if (known.length > 0)
    for (const kind of kinds) if (!isAmong(kind, known)) how.complain(place, `may be ${kind}`);
  for (const [name, inner] of Object.entries(old.properties ?? {})) {
    const other = now.properties?.[name];
    if (!other) how.complain(`${place}.${name}`, "is gone");
    else compareAnswered(inner, other, `${place}.${name}`, how);
    if (other && old.required?.includes(name) && !now.required?.includes(name))
      how.complain(`${place}.${name}`, "may be missing");
  }
  if (old.items && now.items) compareAnswered(old.items, now.items, `${place}[]`, how);
};

type Compare = typeof compareSent;

/** Whether one form can stand for another. */
const isFine = (compare: Compare, before: Schema, after: Schema, how: Comparison): boolean => {
  let isBroken = false;
  compare(before, after, "", {
    ...how,
    complain: () => {
      isBroken = true;
    },
  });
  return !isBroken;
};

const hasForms = ({ anyOf, oneOf }: Schema): boolean => anyOf !== undefined || oneOf !== undefined;

/** All that a value may be, each by itself, however the schema puts them together: words and types count as forms too. */
const formsOf = (schema: Schema, document: ApiDocument): Schema[] => {
  const found = resolveIn(document, schema);
  const { anyOf, oneOf, type, enum: words } = found;
  const forms = anyOf ?? oneOf;
  if (forms) return forms.flatMap((form) => formsOf(form, document));
  if (words) return words.map((word) => ({ const: word }));
  return Array.isArray(type) ? type.map((each) => ({ ...found, type: each })) : [found];
};

/** The types of values, none for any. */
const kindsOf = (schema: Schema): string[] => {
  if (schema.type !== undefined) return [schema.type].flat();
  if (schema.properties) return ["object"];
  return [...new Set((wordsOf(schema) ?? []).map((word) => kindOf(JSON.parse(word))))];
};

const kindOf = (value: unknown): string => (value === null ? "null" : typeof value);

/** Whole numbers are numbers. */
const isAmong = (kind: string, kinds: string[]): boolean =>
  kinds.length === 0 || kinds.includes(kind) || (kind === "integer" && kinds.includes("number"));

/** The only values, as JSON; `null` for any. */
const wordsOf = (schema: Schema): string[] | null => {
  if ("const" in schema) return [JSON.stringify(schema.const)];
  return schema.enum?.map((value) => JSON.stringify(value)) ?? null;
};

/** The values that are no longer among those allowed; `[null]` where all were. */
const lost = (before: string[] | null, after: string[] | null): (string | null)[] => {
  if (after === null) return [];
  return before === null ? [null] : before.filter((word) => !after.includes(word));
};

const compareBounds = (old: Schema, now: Schema, place: string, { complain }: Comparison): void => {
  for (const name of ["maximum", "maxLength", "maxItems"] as const)
    if ((now[name] ?? endless) < (old[name] ?? endless))
      complain(place, `has a smaller \`${name}\`: ${now[name]}`);
  for (const name of ["minimum", "minLength", "minItems"] as const)
    if ((now[name] ?? -endless) > (old[name] ?? -endless))
      complain(place, `has a larger \`${name}\`: ${now[name]}`);
  if (now.pattern !== undefined && now.pattern !== old.pattern)
    complain(place, `has another \`pattern\`: ${now.pattern}`);
};

const endless = Number.POSITIVE_INFINITY;

const nameOf = (schema: Schema): string =>
  wordsOf(schema)?.join(" or ") ?? (kindsOf(schema).join(" or ") || "anything");
