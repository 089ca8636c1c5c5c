import type { Ctx, Handler, Json, RouteAnswer } from "../atrium-plugin.d.ts";

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

const message = { type: "object", required: ["message"], properties: { message: { type: "string" } } };

/** What {@link withinLimits} answers, for the API's description. */
export const refused: { 409: RouteAnswer; 429: RouteAnswer } = {
  409: {
    description: "The host can do nothing with this",
    schema: message,
    example: { message: "No user has this address" },
  },
  429: {
    description: "The host allows no more of this at the moment",
    schema: message,
    example: { message: "Rules can be set 10 times a minute" },
  },
};

const statuses: Record<string, number> = { LIMIT_EXCEEDED: 429, INVALID: 409 };

/** The handler, but answering in words where the host's limits for plugins are reached, or what came is of no use to it. */
export const withinLimits =
  (ctx: Ctx, handler: Handler): Handler =>
  async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const status = statuses[error.name];
      if (status === undefined) throw error;
      return ctx.respond({ status, json: { message: error.message } });
    }
  };
