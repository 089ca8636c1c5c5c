import type { Schema } from "./document-types.ts";

/** The TypeScript type of a schema, as text. References become the type of that name. */
export const typeText = (schema: Schema): string => {
  const { $ref, type, properties, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return typeName($ref.split("/").at(-1) ?? "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (allOf) return allOf.map((part) => grouped(typeText(part))).join(" & ");
  const choices = anyOf ?? oneOf;
  if (choices) return union(choices.map(typeText));
  if (Array.isArray(type)) return union(type.map((each) => typeText({ ...schema, type: each })));
  if (type === "array") return `${grouped(typeText(schema.items ?? {}))}[]`;
  if (type === "object" || properties) return objectText(schema);
  return scalars[type ?? ""] ?? "unknown";
};

const scalars: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The name of a type for something that a document calls `name`. */
export const typeName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const objectText = ({ properties = {}, required = [], additionalProperties, patternProperties }: Schema) => {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${docText([schema.description])}${keyText(name)}${required.includes(name) ? "" : "?"}: ${typeText(schema)};`,
  );
  const others = [
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...Object.values(patternProperties ?? {}),
  ].map(typeText);
  // Fields beside them have types of their own, which an index would have to allow.
  const rest = fields.length > 0 ? "unknown" : union(others.length > 0 ? others : ["unknown"]);
  const isOpen = additionalProperties === true || others.length > 0 || fields.length === 0;
  return `{\n${[...fields, ...(isOpen ? [`[key: string]: ${rest};`] : [])].join("\n")}\n}`;
};

const union = (texts: string[]): string => [...new Set(texts)].join(" | ");
const grouped = (text: string): string => (isJoined(text) ? `(${text})` : text);

/** Whether a type is several, beside what its fields may be. */
const isJoined = (text: string): boolean => {
  let depth = 0;
  for (const sign of text.replace(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\//gs, "")) {
    if ("{(".includes(sign)) depth += 1;
    if ("})".includes(sign)) depth -= 1;
    if (depth === 0 && "|&".includes(sign)) return true;
  }
  return false;
};

/** A field's name as it is written in a type. */
export const keyText = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

/** A comment for editors, of the paragraphs that there are; nothing for none. */
export const docText = (paragraphs: readonly (string | undefined)[]): string => {
  const told = paragraphs.filter((text) => text !== undefined && text !== "").join("\n\n");
  if (told === "") return "";
  const lines = told.replaceAll("*/", "*∕").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
};
