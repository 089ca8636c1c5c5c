import type { PluginCommand } from "#contract/plugin-commands.ts";
import { commandSchemas, planSchema } from "./command-schemas.ts";
import { resolveShape } from "./resolve-shape.ts";
import { anything, either, type Shape } from "./shapes.ts";

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
export const schemaOfPluginCommand = (
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
