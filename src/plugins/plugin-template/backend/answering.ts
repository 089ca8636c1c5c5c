import type { Ctx, Handler, Json, RouteAnswer } from "../atrium-plugin.d.ts";

/**
 * The 200 response of a route in the API's document: an example, and a schema of objects with its fields and possibly more.
 * A field that is `null` in the example may have any type.
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

/** The error responses of {@link withinLimits} in the API's document. */
export const refused: { 409: RouteAnswer; 429: RouteAnswer } = {
  409: {
    description: "The host rejected the input",
    schema: message,
    example: { message: "No user has this email address" },
  },
  429: {
    description: "The host's limit is reached; try again later",
    schema: message,
    example: { message: "Rules can be set 10 times a minute" },
  },
};

const statuses: Record<string, number> = { LIMIT_EXCEEDED: 429, INVALID: 409 };

/** Wraps a handler: if the host's limits are reached or it rejects the input, the response has its message. */
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
