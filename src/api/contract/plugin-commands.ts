import { reservedCommandWords } from "./command-words.ts";
import type { FieldError } from "./errors.ts";
import type { commandFormats, commandMethods, commandOptionTypes } from "./plugin-commands-schema.ts";
import { commandTexts as texts } from "./plugin-texts.ts";

/** A plugin's terminal commands, with all defaults filled in: `atrium {word} {name}`. */
export type PluginCommands = { word: string; summary: string; list: PluginCommand[] };

/** One terminal command: a call of one of the plugin's own routes, and what is shown of the answer. */
export type PluginCommand = {
  name: string;
  summary: string;
  description: string;
  arguments: CommandArgument[];
  options: CommandOption[];
  call: { method: CommandMethod; path: string; body: Record<string, string | number | boolean | null> };
  input: CommandInput | null;
  /** Asked before the call is made. */
  confirm: string | null;
  output: CommandOutput;
  examples: { summary: string; typed: string }[];
};

export type CommandMethod = (typeof commandMethods)[number];

/** A word behind the command's name: a part of the path, or a field of body or query. */
export type CommandArgument = { name: string; summary: string; required: boolean };

export type CommandOption = {
  name: string;
  summary: string;
  type: (typeof commandOptionTypes)[number];
  /** The only ones that it takes; empty where it takes any. */
  values: string[];
  in: "query" | "body";
  /** The field that it sets. */
  field: string;
};

/** A secret or a long text, which is never an argument. */
export type CommandInput = { field: string; summary: string; file: boolean };

/** A value of an answer: what it is called, where it stands (names with dots between them), how it is shown. */
export type CommandValue = { title: string; field: string; format: (typeof commandFormats)[number] };

/** What is shown of an answer. `rows`: `null` where the answer itself is the list. */
export type CommandOutput =
  | { message: string }
  | { table: { rows: string | null; columns: CommandValue[]; empty: string | null } }
  | { fields: CommandValue[] };

/** Terminal commands as a manifest has them, before their defaults are filled in. */
export type RawCommands = { word?: string; summary: string; list: RawCommand[] };

/** One of them. */
export type RawCommand = Partial<
  Omit<PluginCommand, "name" | "summary" | "arguments" | "options" | "call" | "input" | "output">
> & {
  name: string;
  summary: string;
  arguments?: (Omit<CommandArgument, "required"> & { required?: boolean })[];
  options?: (Pick<CommandOption, "name" | "summary"> & Partial<CommandOption>)[];
  call: { method: CommandMethod; path: string; body?: PluginCommand["call"]["body"] };
  input?: Omit<CommandInput, "file"> & { file?: boolean };
  output?: {
    message?: string;
    table?: { rows?: string; columns: RawValue[]; empty?: string };
    fields?: RawValue[];
  };
};
type RawValue = Omit<CommandValue, "format"> & { format?: CommandValue["format"] };

/** Whether a call of that method has a body. */
export const hasBody = (method: CommandMethod): boolean => method !== "GET" && method !== "DELETE";

/** The names that are in a path as `:name`. */
export const pathNames = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Fills in the defaults of what fits the schema and has no {@link commandProblems}. */
export const completeCommands = (raw: RawCommands, plugin: string): PluginCommands => ({
  word: raw.word ?? plugin,
  summary: raw.summary,
  list: raw.list.map(complete),
});

const complete = (raw: RawCommand): PluginCommand => ({
  name: raw.name,
  summary: raw.summary,
  description: raw.description ?? raw.summary,
  arguments: (raw.arguments ?? []).map((one) => ({ ...one, required: one.required ?? true })),
  options: (raw.options ?? []).map((one) => ({
    name: one.name,
    summary: one.summary,
    type: one.type ?? "string",
    values: one.values ?? [],
    in: one.in ?? (hasBody(raw.call.method) ? "body" : "query"),
    field: one.field ?? one.name,
  })),
  call: { method: raw.call.method, path: raw.call.path, body: raw.call.body ?? {} },
  input: raw.input ? { ...raw.input, file: raw.input.file ?? false } : null,
  confirm: raw.confirm ?? null,
  output: outputOf(raw.output),
  examples: raw.examples ?? [],
});

/** How an answer is shown, with its defaults. */
export const outputOf = ({
  message = "message",
  table,
  fields,
}: NonNullable<RawCommand["output"]> = {}): CommandOutput => {
  if (table !== undefined)
    return {
      table: { rows: table.rows ?? null, columns: table.columns.map(formatted), empty: table.empty ?? null },
    };
  return fields === undefined ? { message } : { fields: fields.map(formatted) };
};

const formatted = (value: RawValue): CommandValue => ({ ...value, format: value.format ?? "text" });

/** What a schema cannot say of the terminal commands of a plugin; paths begin at `commands`. */
export const commandProblems = (raw: RawCommands, plugin: string): FieldError[] => [
  ...when(
    raw.word === undefined && reservedCommandWords.some((word) => word === plugin),
    "commands",
    texts.wordNeeded,
  ),
  ...repeated(
    raw.list.map(({ name }) => name),
    (at) => `commands.list.${at}.name`,
  ),
  ...raw.list.flatMap((command, at) => problemsOf(command, `commands.list.${at}`)),
];

const problemsOf = (command: RawCommand, path: string): FieldError[] => {
  const { call, input, options = [], arguments: words = [] } = command;
  const inPath = pathNames(call.path);
  const isOptional = words.map(({ required }) => required === false);
  const takesBody = hasBody(call.method);
  const names = [...words.map(({ name }) => name), ...options.map(({ name }) => name)];
  return [
    ...inPath
      .filter((name) => !words.some((word) => word.name === name))
      .map((name) => ({ path: `${path}.call.path`, message: texts.pathName(name) })),
    ...when(new Set(inPath).size < inPath.length, `${path}.call.path`, texts.twice),
    ...words.flatMap(({ name }, at) => [
      ...when(
        isOptional[at] === true && inPath.includes(name),
        `${path}.arguments.${at}.required`,
        texts.pathRequired,
      ),
      ...when(
        isOptional[at] === false && isOptional.slice(0, at).includes(true),
        `${path}.arguments.${at}.required`,
        texts.requiredLast,
      ),
    ]),
    ...repeated(names, (at) =>
      at < words.length ? `${path}.arguments.${at}.name` : `${path}.options.${at - words.length}.name`,
    ),
    ...options.flatMap((option, at) => [
      // A command line takes these for the contrary of another option.
      ...when(option.name.startsWith("no-"), `${path}.options.${at}.name`, texts.negated),
      ...when(
        option.values !== undefined && (option.type ?? "string") !== "string",
        `${path}.options.${at}.values`,
        texts.valuesOfText,
      ),
      ...when(option.in === "body" && !takesBody, `${path}.options.${at}.in`, texts.noBody(call.method)),
      ...when(input?.file === true && option.name === "file", `${path}.options.${at}.name`, texts.fileOption),
    ]),
    ...when(input !== undefined && !takesBody, `${path}.input`, texts.noBody(call.method)),
    ...when(call.body !== undefined && !takesBody, `${path}.call.body`, texts.noBody(call.method)),
  ];
};

const repeated = (names: readonly string[], pathOf: (at: number) => string): FieldError[] =>
  names.flatMap((name, at) => when(names.indexOf(name) < at, pathOf(at), texts.twice));

const when = (applies: boolean, path: string, message: string): FieldError[] =>
  applies ? [{ path, message }] : [];
