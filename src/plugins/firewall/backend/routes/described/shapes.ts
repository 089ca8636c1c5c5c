import type { Json, RouteAnswer } from "#plugins/sdk/types.ts";

/** A text, with one that may stand there. */
export const text = (example: string) => ({ type: "string", examples: [example] });

/** One of some words. */
export const word = (...words: string[]) => ({ type: "string", enum: words });

/** A whole number from 0, with one that may stand there. */
export const whole = (example = 3) => ({ type: "integer", minimum: 0, examples: [example] });

export const flag = { type: "boolean" } as const;

/** ISO 8601 in UTC. */
export const moment = { type: "string", format: "date-time" } as const;

export const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] });

export const list = (items: Json): Json => ({ type: "array", items });

/** An object that has all of these fields, and perhaps the optional ones. */
export const object = (properties: Record<string, Json>, optional: Record<string, Json> = {}): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

export const pagination = object({ total: whole(42), limit: whole(50), offset: whole(0) });

/** Which state of the rules an answer is about. */
export const revision: Json = {
  ...whole(12),
  description: "Increases with each change; a change with an older revision is refused",
};

/** A text of the query; of a name that is given several times the host takes none. */
export const asked = (description: string, maxLength = 200): Json => ({
  type: "string",
  maxLength,
  description,
});

/** A whole number of the query, which is made of texts. */
export const askedNumber = (description: string): Json => asked(description, 12);

type Answers = { [status: string]: RouteAnswer };

/** What a call answers that went well. */
export const answering = (data: Json, refusals: Answers = {}, status = 200): Answers => ({
  [status]: {
    description: status === 202 ? "Started; the results so far" : "Success",
    schema: {
      type: "object",
      required: ["success", "message", "data"],
      properties: {
        success: { const: true },
        message: { type: "string", description: "A message to show; may be empty", examples: ["Saved."] },
        data,
      },
    },
  },
  ...refusals,
});

/** What each change of the rules can be refused with. */
export const changeRefusals: Answers = {
  409: {
    description:
      "`CONFLICT`: changed in the meantime, or another admin's change is not confirmed yet; `OWN_ADDRESS`: it would lock out the caller; `LIMIT_EXCEEDED`: the limit is reached",
  },
  503: {
    description:
      "`RULES_CLOSED`: the stored rules are damaged, and nothing can be saved before they are restored",
  },
};

export const badFields: Answers = {
  422: { description: "The input is invalid or contradictory; `errors` names the fields" },
};

export const notThere: Answers = { 404: { description: "Entry not found" } };
