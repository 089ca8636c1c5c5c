import { fail } from "./lists.ts";

/** A field as it was asked for: `due:date`, `title:text!`, `status:choice:open|done`. */
export type AskedField = { name: string; kind: Kind; isRequired: boolean; options: readonly string[] };

/** The column of each kind, a value that it has, and one that it can't have; the last two as code. */
const kinds = {
  text: { column: "text", good: '"Bob\'s"', wrong: '"two\\nlines"' },
  long: { column: "text", good: '"About the invoice"', wrong: '"x".repeat(10_001)' },
  number: { column: "doublePrecision", good: "12.5", wrong: '"many"' },
  date: { column: "date", good: '"2026-12-01"', wrong: '"2026-02-30"' },
  boolean: { column: "boolean", good: "true", wrong: '"perhaps"' },
  choice: { column: "text", good: "", wrong: '"none of these"' },
  email: { column: "text", good: '"ada@b.example"', wrong: '"nobody"' },
  url: { column: "text", good: '"https://b.example/ada"', wrong: '"javascript:alert(1)"' },
} as const;

type Kind = keyof typeof kinds;

/** The kinds, for people: `text, long, …`. */
export const kindNames = Object.keys(kinds).join(", ");

/** What each row of a feature has besides, in a table, a response or an object of JavaScript. */
const taken = new Set(["id", "userId", "member", "createdAt", "updatedAt", "prototype"]);

/** The fields that these words ask for. Throws a `ScriptFailure` with what is wrong. */
export const readFields = (words: readonly string[]): AskedField[] => {
  const fields = words.map(readField);
  const twice = fields.find(({ name }, at) => fields.findIndex((other) => other.name === name) < at);
  if (twice !== undefined) fail(`The field "${twice.name}" is there twice.`);
  return fields;
};

const readField = (word: string): AskedField => {
  const [, name = "", kind = "", options = "", sign = ""] =
    /^([^:]*):([a-z]*)(?::(.*?))?(!?)$/.exec(word) ??
    fail(`"${word}" is no field; write name:kind, such as title:text!`);
  if (!/^[a-z][a-zA-Z0-9]{0,39}$/.test(name))
    fail(`"${name}" can't be the name of a field: write letters and digits, such as dueOn.`);
  if (taken.has(name) || name in {})
    fail(`"${name}" can't be the name of a field: Atrium uses this name itself.`);
  if (!isKind(kind)) fail(`"${kind}" is no kind of field. Kinds: ${kindNames}.`);
  if (kind === "boolean" && sign === "!") fail(`${word}: a boolean is never empty; leave out the "!".`);
  return { name, kind, isRequired: sign === "!", options: readOptions(word, kind, options) };
};

const isKind = (word: string): word is Kind => Object.hasOwn(kinds, word);

const readOptions = (word: string, kind: Kind, text: string): string[] => {
  if (kind !== "choice") return text === "" ? [] : fail(`${word}: only a choice has options.`);
  const options = text.split(/[|,]/);
  if (options.length < 2 || options.some((option) => !/^[a-z][a-z0-9-]*$/.test(option) || option in {}))
    fail(
      `${word}: a choice has two options or more in lowercase letters, such as 'status:choice:open|done'.`,
    );
  if (new Set(options).size < options.length) fail(`${word}: an option is there twice.`);
  return options;
};

/** `dueOn` as `due_on`, and as "Due on". */
export const snakeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll("-", "_");
export const labelOf = (name: string): string => {
  const words = snakeOf(name).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Their lines in `fields.ts`. */
export const declarations = (fields: readonly AskedField[]): string =>
  fields
    .map(({ name, kind, isRequired, options }) => {
      const choices = options.map((option) => `"${option}": "${labelOf(option)}"`).join(", ");
      const facts = [
        `kind: "${kind}"`,
        `label: "${labelOf(name)}"`,
        ...(kind === "choice" ? [`options: { ${choices} }`] : []),
        ...(isRequired ? ["isRequired: true"] : []),
      ];
      return `  ${name}: { ${facts.join(", ")} },\n`;
    })
    .join("");

/** Their lines in `schema.ts`. */
export const columns = (fields: readonly AskedField[]): string =>
  fields
    .map(({ name, kind, isRequired, options }) => {
      const values = options.map((option) => `"${option}"`).join(", ");
      const more = kind === "choice" ? `, { enum: [${values}] }` : "";
      const rule = isRequired || kind === "boolean" ? ".notNull()" : "";
      return `    ${name}: ${kinds[kind].column}("${snakeOf(name)}"${more})${rule},\n`;
    })
    .join("");

/** The functions of Drizzle that those call. */
export const columnKinds = (fields: readonly AskedField[]): string[] => [
  ...new Set(fields.map(({ kind }) => kinds[kind].column)),
];

/** An object with a value of each, for examples and tests. */
export const exampleOf = (fields: readonly AskedField[]): string =>
  `{ ${fields.map(({ name, kind, options }, at) => `${name}: ${exampleValue(kind, options, at)}`).join(", ")} }`;

// The first is what tests search by.
const exampleValue = (kind: Kind, [option]: readonly string[], at: number): string => {
  if (at === 0) return '"Call Ada"';
  return kind === "choice" ? `"${option}"` : kinds[kind].good;
};

/** Rows of tests: a field, and an object with a value that it can't have. The first field has rows of its own. */
export const wrongRows = (fields: readonly AskedField[]): string =>
  fields
    .slice(1)
    .map(({ name, kind }) => `  ["${name}", { ${name}: ${kinds[kind].wrong} }],\n`)
    .join("");
