import { commandSchemas, planSchema } from "./command-schemas.ts";
import { resolveShape } from "./resolve-shape.ts";
import { either, type Shape } from "./shapes.ts";

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
  const shape: Shape = hasPlan && !hasOwnPlan.test(name) ? either(own, planSchema) : own;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `atrium ${name} --json`,
    ...Object(resolveShape(shape, document)),
  };
};

// Their plans say more, or are among their schemas.
const hasOwnPlan = /^(?:restore|migrate embedded-to-postgres)$/;
