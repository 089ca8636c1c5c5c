import { reservedCommandWords, reservedOptionNames } from "./command-words.ts";
import type { JsonSchema } from "./json-schema.ts";
import { pluginNamePattern } from "./plugin-names.ts";

/** Methods of the calls that terminal commands make. */
export const commandMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Kinds of options: a `boolean` one has no value. */
export const commandOptionTypes = ["string", "integer", "boolean"] as const;

/** How a value is shown: an instant to the minute, a size, a number with separators, or as it is. */
export const commandFormats = ["text", "time", "bytes", "count"] as const;

/** Forms of texts in terminal commands. All of them take linear time. */
const commandPatterns = {
  option: "^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$",
  field: "^[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*$",
  name: "^[A-Za-z][A-Za-z0-9_]*$",
  // Nothing that would lead out of the plugin's own routes.
  path: "^(?:/|(?:/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*|:[A-Za-z][A-Za-z0-9_]*))+)$",
  example: "^atrium ",
  value: "^[A-Za-z0-9][A-Za-z0-9._:+-]*$",
} as const;

const text = (maxLength: number, description: string) =>
  ({ type: "string", minLength: 1, maxLength, description }) as const;

const summary = text(120, "A few words, for the help.");

const word = (reserved: readonly string[], description: string) =>
  ({ type: "string", pattern: pluginNamePattern.source, not: { enum: reserved }, description }) as const;

const name = (description: string) =>
  ({ type: "string", maxLength: 40, pattern: commandPatterns.name, description }) as const;

const field = (description: string) =>
  ({ type: "string", maxLength: 100, pattern: commandPatterns.field, description }) as const;

const place = {
  enum: ["query", "body"],
  description: "Where it is sent: in the body, or in the query of requests without a body, unless given.",
} as const;

const format = {
  enum: commandFormats,
  default: "text",
  description: "time: an ISO instant to the minute. bytes: a size. count: a number with separators.",
} as const;

const value = (description: string): JsonSchema => ({
  type: "object",
  properties: { title: text(40, description), field: field("The path of its value."), format },
  required: ["title", "field"],
  additionalProperties: false,
});

const output: JsonSchema = {
  type: "object",
  minProperties: 1,
  maxProperties: 1,
  properties: {
    message: field("The path of the message that says what was done."),
    table: {
      type: "object",
      properties: {
        rows: field("The path of the list of rows; by default the response itself."),
        columns: { type: "array", minItems: 1, maxItems: 12, items: value("The heading.") },
        empty: text(120, "Shown on a terminal when there are no rows."),
      },
      required: ["columns"],
      additionalProperties: false,
    },
    fields: { type: "array", minItems: 1, maxItems: 40, items: value("The beginning of the line.") },
  },
  additionalProperties: false,
  description:
    "What is shown of the response; with --json it is printed as it is. Fields are looked up in the response's data, then next to it.",
};

const argument: JsonSchema = {
  type: "object",
  properties: {
    name: name("The name of a part of the path (`:name`), or of a field."),
    summary,
    required: { type: "boolean", default: true, description: "Whether it is required." },
  },
  required: ["name", "summary"],
  additionalProperties: false,
};

const option: JsonSchema = {
  type: "object",
  properties: {
    name: {
      type: "string",
      maxLength: 40,
      pattern: commandPatterns.option,
      not: { enum: reservedOptionNames },
      description: "Without the two hyphens before it.",
    },
    summary,
    type: { enum: commandOptionTypes, default: "string", description: "A boolean option has no value." },
    values: {
      type: "array",
      minItems: 1,
      maxItems: 20,
      items: { type: "string", maxLength: 40, pattern: commandPatterns.value },
      description: "The only allowed values; any unless given. Others are a usage error.",
    },
    in: place,
    field: name("The field that it sets; by default its name."),
  },
  required: ["name", "summary"],
  additionalProperties: false,
};

const command: JsonSchema = {
  type: "object",
  properties: {
    name: word(["help"], "The word after the first one."),
    summary,
    description: text(500, "What it does, in a sentence or two; by default the summary."),
    arguments: { type: "array", maxItems: 5, items: argument },
    options: { type: "array", maxItems: 20, items: option },
    call: {
      type: "object",
      properties: {
        method: { enum: commandMethods },
        path: {
          type: "string",
          maxLength: 200,
          pattern: commandPatterns.path,
          description: "One of the plugin's own routes, below `/api/{plugin}`.",
        },
        body: {
          type: "object",
          maxProperties: 20,
          additionalProperties: { type: ["string", "number", "boolean", "null"] },
          description: "What is always sent; arguments and options are added to it.",
        },
      },
      required: ["method", "path"],
      additionalProperties: false,
    },
    input: {
      type: "object",
      properties: {
        field: name("The field of the body that it sets."),
        summary,
        file: { type: "boolean", default: false, description: "Whether --file can name a file instead." },
      },
      required: ["field", "summary"],
      additionalProperties: false,
      description:
        "A secret or a long text: asked for without showing it, or read from standard input; never an argument.",
    },
    confirm: text(
      200,
      "Asked before the request is sent; {name} is replaced with the argument of that name.",
    ),
    output,
    examples: {
      type: "array",
      maxItems: 6,
      items: {
        type: "object",
        properties: {
          summary,
          typed: {
            type: "string",
            maxLength: 200,
            pattern: commandPatterns.example,
            description: "The command as it is typed.",
          },
        },
        required: ["summary", "typed"],
        additionalProperties: false,
      },
    },
  },
  required: ["name", "summary", "call"],
  additionalProperties: false,
};

/** JSON Schema of the terminal commands in a manifest. */
export const pluginCommandsSchema: JsonSchema = {
  type: "object",
  properties: {
    word: word(reservedCommandWords, "The first word of its commands; by default the plugin's name."),
    summary,
    list: { type: "array", minItems: 1, maxItems: 30, items: command },
  },
  required: ["summary", "list"],
  additionalProperties: false,
  description: "Terminal commands: the routes they call, and what they show of the response. No code.",
};
