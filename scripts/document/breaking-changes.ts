import {
  type ApiDocument,
  type DescribedOperation,
  type Parameter,
  type Response,
  resolveIn,
  type Schema,
} from "../client/describe-operations.ts";

/**
 * What of `after` would break programs that were written for `before`, one line each with the place and what is wrong
 * there. New operations, responses, fields and values break no program: readers skip what they do
 * not know.
 */
export const breakingChanges = (before: ApiDocument, after: ApiDocument): string[] => {
  const found: string[] = [];
  const how: Comparison = {
    before,
    after,
    complain: (place, problem) => void found.push(`${place} ${problem}`),
  };
  const calls = callsOf(after);
  for (const [name, old] of callsOf(before)) {
    const now = calls.get(name);
    if (now === undefined) how.complain(name, "was removed");
    else compareCalls(old, now, name, how);
  }
  return found;
};

/** Calls by method and path; the names of path parameters don't matter. */
const callsOf = (document: ApiDocument): Map<string, DescribedOperation> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}").replace(/\*$/, "{}")}`,
        operation,
      ]),
    ),
  );

const compareCalls = (
  old: DescribedOperation,
  now: DescribedOperation,
  call: string,
  how: Comparison,
): void => {
  compareAccess(old.security ?? [], now.security ?? [], call, how);
  compareParameters(old.parameters ?? [], now.parameters ?? [], call, how);
  const [sent, taken] = [old.requestBody?.content ?? {}, now.requestBody?.content ?? {}];
  for (const [type, { schema = {} }] of Object.entries(sent)) {
    const other = taken[type];
    if (other) compareSent(schema, other.schema ?? {}, `${call} body`, how);
    else how.complain(`${call} body`, `no longer accepts ${type}`);
  }
  if (Object.keys(sent).length === 0 && now.requestBody?.required)
    how.complain(`${call} body`, "is now required");
  for (const [status, answer] of Object.entries(old.responses)) {
    const other = now.responses[status];
    if (other) compareAnswers(answer, other, `${call} ${status}`, how);
    else how.complain(`${call} ${status}`, "was removed");
  }
};

/** Ways into a call: who has one of them may make it. Each names what is to be shown, with the rights that it needs. */
type Ways = readonly Record<string, readonly string[]>[];

/** Each way to authenticate has to stay, and must not require more than before; a public operation has none. */
const compareAccess = (old: Ways, now: Ways, call: string, { complain }: Comparison): void => {
  const isOpen = (ways: Ways) => ways.length === 0 || ways.some((way) => Object.keys(way).length === 0);
  if (isOpen(now)) return;
  if (isOpen(old)) {
    complain(call, "now needs authentication");
    return;
  }
  for (const way of old) {
    const left = now.filter((other) => shownAt(other) === shownAt(way));
    if (left.length === 0) complain(call, `no longer accepts \`${shownAt(way)}\``);
    else if (!left.some((other) => asksNoMore(way, other)))
      complain(call, `requires more of \`${shownAt(way)}\`: ${left.map(rightsAt).join(" or ")}`);
  }
};

const shownAt = (way: Ways[number]): string => Object.keys(way).sort().join("+");
const rightsAt = (way: Ways[number]): string => Object.values(way).flat().join(", ");

/** Whether a caller who could authenticate the `old` way can also use the other. */
const asksNoMore = (old: Ways[number], now: Ways[number]): boolean =>
  Object.entries(now).every(([shown, rights]) =>
    rights.every((right) => (old[shown] ?? []).some((had) => covers(had, right))),
  );

/** Whether a right is another, or more: `*` is every right, and who may change a thing may read it. */
const covers = (had: string, right: string): boolean =>
  had === "*" || had === right || (had.endsWith(":write") && right === had.replace(/write$/, "read"));

const compareParameters = (old: Parameter[], now: Parameter[], call: string, how: Comparison): void => {
  // Parts of the path are the path's own, whatever they are called.
  const [before, after] = [old, now].map((all) => all.filter((parameter) => parameter.in !== "path"));
  for (const parameter of before ?? []) {
    const other = after?.find((each) => each.name === parameter.name && each.in === parameter.in);
    const place = `${call} ?${parameter.name}`;
    if (other) compareSent(parameter.schema ?? {}, other.schema ?? {}, place, how);
    else how.complain(place, "is no longer accepted");
  }
  for (const parameter of after ?? []) {
    const known = before?.find((each) => each.name === parameter.name && each.in === parameter.in);
    if (isNeeded(parameter) && !(known && isNeeded(known)))
      how.complain(`${call} ?${parameter.name}`, "is now required");
  }
};

const isNeeded = ({ required, schema }: Parameter): boolean =>
  required === true && schema?.default === undefined;

const compareAnswers = (old: Response, now: Response, place: string, how: Comparison): void => {
  const sent = resolveIn(how.after, now).content ?? {};
  for (const [type, { schema = {} }] of Object.entries(resolveIn(how.before, old).content ?? {})) {
    const other = sent[type];
    if (other) compareAnswered(schema, other.schema ?? {}, place, how);
    else how.complain(place, `no longer responds with ${type}`);
  }
};

/** The message for a place where two schemas differ in a way that would break programs. */
type Complain = (place: string, problem: string) => void;

/** Two documents, and where what is wrong goes. */
type Comparison = { before: ApiDocument; after: ApiDocument; complain: Complain };

/** Tells where `after` would refuse what could be sent so far. */
const compareSent = (before: Schema, after: Schema, place: string, how: Comparison): void => {
  const [old, now] = [resolveIn(how.before, before), resolveIn(how.after, after)];
  if (hasForms(old) || hasForms(now)) {
    const others = formsOf(now, how.after);
    for (const form of formsOf(old, how.before))
      if (!others.some((other) => isFine(compareSent, form, other, how)))
        how.complain(place, `no longer accepts ${nameOf(form)}`);
    return;
  }
  const [kinds, taken] = [kindsOf(old), kindsOf(now)];
  for (const kind of kinds) if (!isAmong(kind, taken)) how.complain(place, `no longer accepts ${kind}`);
  for (const value of lost(wordsOf(old), wordsOf(now)))
    how.complain(place, value === null ? "accepts only certain values" : `no longer accepts ${value}`);
  compareBounds(old, now, place, how);
  for (const name of now.required ?? [])
    if (!(old.required ?? []).includes(name)) how.complain(`${place}.${name}`, "is now required");
  for (const [name, inner] of Object.entries(old.properties ?? {})) {
    const other = now.properties?.[name];
    if (other) compareSent(inner, other, `${place}.${name}`, how);
    else if (now.additionalProperties === false) how.complain(`${place}.${name}`, "is no longer accepted");
  }
  if (old.items && now.items) compareSent(old.items, now.items, `${place}[]`, how);
};

/** Tells where `after` lacks what could be relied on in an answer so far, or has something of another kind. */
const compareAnswered = (before: Schema, after: Schema, place: string, how: Comparison): void => {
  const [old, now] = [resolveIn(how.before, before), resolveIn(how.after, after)];
  if (hasForms(old) || hasForms(now)) {
    const others = formsOf(old, how.before);
    for (const form of formsOf(now, how.after))
      if (!others.some((other) => isFine(compareAnswered, other, form, how)))
        how.complain(place, `may be ${nameOf(form)} in a different form`);
    return;
  }
  const known = kindsOf(old);
  const kinds = kindsOf(now);
  if (known.length > 0 && kinds.length === 0) how.complain(place, "may be of any type");
  if (known.length > 0)
    for (const kind of kinds) if (!isAmong(kind, known)) how.complain(place, `may be ${kind}`);
  for (const [name, inner] of Object.entries(old.properties ?? {})) {
    const other = now.properties?.[name];
    if (!other) how.complain(`${place}.${name}`, "was removed");
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

/** All alternatives of a value, however the schema combines them: enum values and types count too. */
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
    complain(place, `has a different \`pattern\`: ${now.pattern}`);
};

const endless = Number.POSITIVE_INFINITY;

const nameOf = (schema: Schema): string =>
  wordsOf(schema)?.join(" or ") ?? (kindsOf(schema).join(" or ") || "anything");

/** What is known of a version: the changelog's text, and the names of the repository's tags. */
type ReleaseSigns = { version: string; changelog: string; tags: readonly string[] };

/**
 * What `after` would break if it were kept in the place of `before`, one line each; empty: it may be. A version that was
 * not given out has promised nothing yet, and neither has one of which nothing was kept.
 */
export const objectionsToKeeping = (
  before: ApiDocument | null,
  after: ApiDocument,
  signs: ReleaseSigns,
): string[] => (before === null || !isReleased(signs) ? [] : breakingChanges(before, after));

/** Whether a version was given out: the changelog has a heading for it, or the repository a tag. */
const isReleased = ({ version, changelog, tags }: ReleaseSigns): boolean =>
  new RegExp(`^## \\[${RegExp.escape(version)}\\]`, "m").test(changelog) ||
  tags.some((tag) => tag === version || tag === `v${version}`);
