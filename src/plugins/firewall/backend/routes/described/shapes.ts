import type { Json, RouteAnswer } from "#plugins/sdk/types.ts";

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
