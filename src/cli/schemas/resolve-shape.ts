import { isRecord } from "#cli/read-answer.ts";
import type { Shape } from "./shapes.ts";

/** A shape as a JSON Schema that refers to nothing, by the API's document. Throws for a call or a part that it does not have. */
export const resolveShape = (shape: unknown, document: object): unknown => {
  if (Array.isArray(shape)) return shape.map((part) => resolveShape(part, document));
  if (!isRecord(shape)) return shape;
  if (typeof shape.$answer === "string") return inlined(partOf(shape, document), document);
  if (Array.isArray(shape.$merged))
    return mergedOf(shape.$merged.map((part) => resolveShape(part, document)));
  return Object.fromEntries(
    Object.entries(shape).map(([word, part]) => [word, resolveShape(part, document)]),
  );
};

/** The schema of what a call answers when it worked, its data where it has any. */
const partOf = ({ $answer, part, otherwise }: Shape, document: object): object => {
  const [method = "", path = ""] = String($answer).split(" ");
  const operation = at(document, ["paths", path.replace(/:(\w+)/g, "{$1}"), method.toLowerCase()]);
  const answers = at(operation, ["responses"]);
  const answer = at(answers, ["200"]) ?? at(answers, ["201"]);
  const envelope = at(resolved(answer, document), ["content", "application/json", "schema"]);
  const whole = resolved(envelope, document);
  const data = at(whole, ["properties", "data"]) ?? whole;
  const steps = String(part)
    .split(".")
    .filter((step) => step !== "");
  const found = steps.reduce<unknown>((schema, step) => stepInto(resolved(schema, document), step), data);
  const schema = resolved(found, document);
  if (!isRecord(schema) && isRecord(otherwise)) return otherwise;
  if (!isRecord(schema)) throw new Error(`the API's document has no answer of ${$answer} ${part}`);
  return schema;
};

const stepInto = (schema: unknown, step: string): unknown =>
  step === "[]" ? at(schema, ["items"]) : at(schema, ["properties", step]);

const at = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), value);

const resolved = (schema: unknown, document: object): unknown => {
  const target = at(schema, ["$ref"]);
  if (typeof target !== "string") return schema;
  return resolved(at(document, target.split("/").slice(1)), document);
};

const inlined = (schema: unknown, document: object): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => inlined(part, document));
  const found = resolved(schema, document);
  if (!isRecord(found)) return found;
  return Object.fromEntries(
    Object.entries(found).map(([word, part]) => [word, word === "example" ? part : inlined(part, document)]),
  );
};

const mergedOf = (schemas: unknown[]): Shape => ({
  type: "object",
  properties: Object.assign({}, ...schemas.map((schema) => at(schema, ["properties"]))),
  required: schemas.flatMap((schema) => at(schema, ["required"]) ?? []),
});
