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
    description: "`null` under the Community license",
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

/** Access, inputs and responses of the plugin's routes. */
export const routeOptions: { [name in "status" | "view" | "enter" | "remove"]: RouteOptions } = {
  status: {
    access: "public",
    summary: "Plan, owner and state of the license",
    description: "What the footer of every page shows. Caches may keep the response for five minutes.",
    answers: {
      200: {
        description: "The public part of the license",
        schema: object({ success: { const: true }, data: object(status) }),
      },
    },
  },
  view: {
    summary: "Show the current license",
    description:
      "The license's plan, owner and expiry date, and any problem with it. The key itself is never returned.",
    answers: { 200: { description: "The license as admins see it", schema: answer(view) } },
  },
  enter: {
    summary: "Enter a license key",
    description:
      "Verifies the key and, if it is valid, replaces the current one. The change is recorded in the activity log, without the key.",
    body: {
      type: "object",
      additionalProperties: false,
      required: ["key"],
      properties: { key: { type: "string", minLength: 1, maxLength: keyLengthMax } },
    },
    answers: {
      200: { description: "The license that was entered", schema: answer(view) },
      422: { description: "The key is invalid or has expired; `errors` says why. Nothing was changed" },
    },
  },
  remove: {
    summary: "Remove the license key",
    description: "The Community license applies from then on. The change is recorded in the activity log.",
    answers: {
      200: { description: "The license that applies now", schema: answer(view) },
      404: { description: "There is no key to remove" },
    },
  },
};
