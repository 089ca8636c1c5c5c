import type { Json, RouteOptions } from "#plugins/sdk/types.ts";
import { keyLengthMax } from "./licence/licence-format.ts";

const text = (example: string) => ({ type: "string", examples: [example] });
const moment = { type: "string", format: "date-time" } as const;
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] });
const object = (properties: Record<string, Json>): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const status = {
  plan: text("Business"),
  owner: {
    ...text("Example Ltd"),
    type: ["string", "null"],
    description: "Nobody has the Community licence",
  },
  state: { type: "string", enum: ["active", "community", "grace", "expired", "invalid"] },
};

const view: Json = object({
  ...status,
  licence: orNull(
    object({
      id: text("LIC-2026-0001"),
      owner: text("Example Ltd"),
      plan: text("Business"),
      issuedAt: moment,
      expiresAt: orNull(moment),
      graceDays: { type: "integer", minimum: 0, examples: [14] },
      graceEndsAt: orNull(moment),
    }),
  ),
  enteredAt: orNull(moment),
  daysLeft: { type: ["integer", "null"], examples: [212] },
  note: text("Licensed to Example Ltd."),
  issuerKeyProblem: { type: ["string", "null"], examples: [null] },
});

const answer = (data: Json): Json => ({
  type: "object",
  required: ["success", "data"],
  properties: { success: { const: true }, message: text("Saved."), data },
});

/** How the plugin's routes may be called, and what they come to. */
export const routeOptions: { [name in "status" | "view" | "enter" | "remove"]: RouteOptions } = {
  status: {
    access: "public",
    summary: "Plan, owner and state of the licence",
    description: "What the footer of every page says. Caches may keep it for five minutes.",
    answers: {
      200: {
        description: "What everybody may know of the licence",
        schema: object({ success: { const: true }, data: object(status) }),
      },
    },
  },
  view: {
    summary: "The licence that there is",
    description:
      "What the licence says, until when it holds, and what is wrong with it if anything is. The key itself is never told.",
    answers: { 200: { description: "The licence as admins see it", schema: answer(view) } },
  },
  enter: {
    summary: "Enters a licence key in place of the one before",
    description:
      "Checks the key and, if it holds, has it count from now on. The change is written to the activity log, without the key.",
    body: {
      type: "object",
      additionalProperties: false,
      required: ["key"],
      properties: { key: { type: "string", minLength: 1, maxLength: keyLengthMax } },
    },
    answers: {
      200: { description: "The licence that was entered", schema: answer(view) },
      422: { description: "The key is none, or counts no longer; `errors` says why. Nothing was changed" },
    },
  },
  remove: {
    summary: "Removes the licence key",
    description: "From then on the Community licence holds. The change is written to the activity log.",
    answers: {
      200: { description: "The licence that holds now", schema: answer(view) },
      404: { description: "There is no key to remove" },
    },
  },
};
