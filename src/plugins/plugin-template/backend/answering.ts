import type { Json, RouteAnswer } from "../atrium-plugin.d.ts";

/**
 * What a call answers that went well, for the API's description: an example of it, and a schema of objects with those
 * fields, and maybe more. A field that is `null` in the example may be anything.
 */
export const answering = (description: string, example: { [name: string]: Json }): { 200: RouteAnswer } => ({
  200: {
    description,
    schema: {
      type: "object",
      required: Object.keys(example),
      additionalProperties: true,
      properties: Object.fromEntries(Object.entries(example).map(([name, value]) => [name, kindOf(value)])),
    },
    example,
  },
});

const kindOf = (value: Json): Json => {
  if (value === null) return {};
  return { type: Array.isArray(value) ? "array" : typeof value };
};
