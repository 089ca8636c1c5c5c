import type { Command } from "commander";
import { at, isRecord } from "#cli/client/read-answer.ts";
import { isWithoutInstallation, toFailure, usage } from "#cli/failure.ts";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { findPluginWord } from "#cli/plugin-words/call-present-plugin.ts";
import { jsonLine } from "#cli/terminal/output.ts";
import type { PluginCommand } from "#contract/plugin-commands.ts";
import { anything, commandSchemas, either, planSchema, type Shape } from "./command-schemas.ts";

/** `schema`: what programs may expect of `--json`. */
export const addSchemaCommand = (program: Command, cli: Cli): void => {
  program
    .command("schema")
    .argument("<command...>", "a command without the word atrium")
    .summary("print the schema of a command's --json output")
    .description(
      "Prints the JSON Schema of what a command prints with --json. API responses have the schema from the API " +
        "description. Commands that follow something print one such value per line. For a plugin's command it is what the " +
        "enabled plugin declares.",
    )
    .addHelpText(
      "after",
      examples(
        ["Of one command", "atrium schema user list"],
        ["To a file", "atrium schema status > status.schema.json"],
        ["Of a plugin's command", "atrium schema license show"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const { args, composition, terminal } = invocation;
        const name = args.join(" ");
        const command = commandCalled(program, args);
        const hasPlan = command?.options.some(({ long }) => long === "--plan") ?? false;
        const schema = command
          ? schemaOf(name, { document: await composition.describeApi(), hasPlan })
          : await schemaFromPlugin(invocation, args);
        if (!schema) throw usage(`no command "${name}" prints JSON`);
        terminal.out(`${jsonLine(schema)}\n`);
      }),
    );
};

/** The schema of a command that an enabled plugin has; `null` when none has it. Throws `USAGE` without a server or an installation. */
const schemaFromPlugin = async (
  invocation: Invocation,
  [word = "", name = "", ...more]: readonly string[],
): Promise<object | null> => {
  if (name === "" || more.length > 0) return null;
  const described = withClient(invocation, async (client) => {
    const found = await findPluginWord(client, word);
    const command = found?.commands.list.find((one) => one.name === name);
    if (!found || !command) return null;
    const { plugin } = found;
    return schemaOfPluginCommand(`${word} ${name}`, { document: await client.describe(), plugin, command });
  });
  return described.catch((error) => {
    if (!isWithoutInstallation(error)) throw error;
    throw usage(
      `Atrium has no command "${word} ${name}", and ${toFailure(error).message.split(";")[0]}: plugin ` +
        "commands can only be described by a server (--url) or an installation (--data-dir)",
    );
  });
};

const commandCalled = (program: Command, words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>(
    (group, word) => group?.commands.find((command) => command.name() === word),
    program,
  );

/**
 * The JSON Schema (draft 2020-12) of what a command prints with `--json`, by the API's document; `null` for a command that
 * prints none. `hasPlan`: with `--plan` it prints a plan instead.
 */
export const schemaOf = (
  name: string,
  { document, hasPlan }: { document: object; hasPlan: boolean },
): object | null => {
  const own = commandSchemas[name];
  if (own === undefined) return null;
  const shape = hasPlan && !hasOwnPlan.test(name) ? either(own, planSchema) : own;
  return titled(name, shape, document);
};

/** The same of a command of a plugin, by the document of a server on which that is on. */
const schemaOfPluginCommand = (
  name: string,
  { document, plugin, command }: { document: object; plugin: string; command: PluginCommand },
): object => {
  const { method, path } = command.call;
  const call = `${method} /api/${plugin}${path === "/" ? "" : path}`;
  // An answer that is a text, or has nothing in it, is described by no schema.
  const own: Shape = { $answer: call, part: "", otherwise: anything };
  return titled(name, method === "GET" ? own : either(own, planSchema), document);
};

const titled = (name: string, shape: Shape, document: object): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: `atrium ${name} --json`,
  ...Object(resolveShape(shape, document)),
});

// Their plans say more, or are among their schemas.
const hasOwnPlan = /^(?:restore|migrate embedded-to-postgres)$/;

/** A shape as a JSON Schema that refers to nothing, by the API's document. Throws for a call or a part that it does not have. */
const resolveShape = (shape: unknown, document: object): unknown => {
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
  if (!isRecord(schema)) throw new Error(`the API description has no response for ${$answer} ${part}`);
  return schema;
};

const stepInto = (schema: unknown, step: string): unknown =>
  step === "[]" ? at(schema, ["items"]) : at(schema, ["properties", step]);

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
