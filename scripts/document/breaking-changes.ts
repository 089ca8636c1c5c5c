import {
  type ApiDocument,
  type DescribedOperation,
  type Parameter,
  type Response,
  resolveIn,
} from "../client/document-types.ts";
import { type Comparison, compareAnswered, compareSent } from "./compare-schemas.ts";

/**
 * What of `after` would break programs that were written for `before`, one line each with the place and what is wrong
 * there. New calls, answers, fields and words in answers break nobody: whoever reads an answer passes over what it does
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
    if (now === undefined) how.complain(name, "is gone");
    else compareCalls(old, now, name, how);
  }
  return found;
};

/** Calls by method and path; how a part of a path is named is nobody's business. */
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
    else how.complain(`${call} body`, `is no longer taken as ${type}`);
  }
  if (Object.keys(sent).length === 0 && now.requestBody?.required)
    how.complain(`${call} body`, "has to be sent");
  for (const [status, answer] of Object.entries(old.responses)) {
    const other = now.responses[status];
    if (other) compareAnswers(answer, other, `${call} ${status}`, how);
    else how.complain(`${call} ${status}`, "is gone");
  }
};

/** Ways into a call: who has one of them may make it. Each names what is to be shown, with the rights that it needs. */
type Ways = readonly Record<string, readonly string[]>[];

/** Each way in has to stay, and to ask for no more than it did; a call that everybody may make has none. */
const compareAccess = (old: Ways, now: Ways, call: string, { complain }: Comparison): void => {
  const isOpen = (ways: Ways) => ways.length === 0 || ways.some((way) => Object.keys(way).length === 0);
  if (isOpen(now)) return;
  if (isOpen(old)) {
    complain(call, "needs a caller who is known");
    return;
  }
  for (const way of old) {
    const left = now.filter((other) => shownAt(other) === shownAt(way));
    if (left.length === 0) complain(call, `can no longer be made with \`${shownAt(way)}\``);
    else if (!left.some((other) => asksNoMore(way, other)))
      complain(call, `asks more of \`${shownAt(way)}\`: ${left.map(rightsAt).join(" or ")}`);
  }
};

const shownAt = (way: Ways[number]): string => Object.keys(way).sort().join("+");
const rightsAt = (way: Ways[number]): string => Object.values(way).flat().join(", ");

/** Whether whoever could take the `old` way can take the other. */
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
    else how.complain(place, "is no longer taken");
  }
  for (const parameter of after ?? []) {
    const known = before?.find((each) => each.name === parameter.name && each.in === parameter.in);
    if (isNeeded(parameter) && !(known && isNeeded(known)))
      how.complain(`${call} ?${parameter.name}`, "has to be sent");
  }
};

const isNeeded = ({ required, schema }: Parameter): boolean =>
  required === true && schema?.default === undefined;

const compareAnswers = (old: Response, now: Response, place: string, how: Comparison): void => {
  const sent = resolveIn(how.after, now).content ?? {};
  for (const [type, { schema = {} }] of Object.entries(resolveIn(how.before, old).content ?? {})) {
    const other = sent[type];
    if (other) compareAnswered(schema, other.schema ?? {}, place, how);
    else how.complain(place, `is no longer answered as ${type}`);
  }
};
