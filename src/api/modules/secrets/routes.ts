import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures } from "#api/modules/fields.ts";
import { rotateAnswer, rotateBody, secretsAnswer } from "./model.ts";
import { readSecrets } from "./read-secrets.ts";
import { rotateSecrets } from "./rotate-secrets.ts";

const tags = ["System"];
const success = true as const;

/** The calls about the application's key, on the operator's socket alone. */
export const secretRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/system/secrets" })
    .use(door)
    .get("", async ({ ctx }) => ({ success, data: await readSecrets(ctx) }), {
      access: "operator",
      response: { 200: secretsAnswer, ...failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE") },
      detail: {
        summary: "Which keys there are, and how many values lie under which",
        description:
          "For the operator, over the control socket alone. Keys are told apart by fingerprints, which tell nothing of " +
          "them, and no value is answered. `previous` counts what `POST /api/system/secrets/rotate` is still to seal " +
          "anew, `unknown` what none of the keys at hand opens.",
        tags,
      },
    })
    .post("/rotate", async ({ ctx, body }) => ({ success, data: await rotateSecrets(ctx, body) }), {
      access: "operator",
      body: rotateBody,
      response: {
        200: rotateAnswer,
        ...failures(
          "BAD_REQUEST",
          "NOT_SIGNED_IN",
          "FORBIDDEN",
          "CROSS_ORIGIN",
          "PAYLOAD_TOO_LARGE",
          "UNSUPPORTED_MEDIA_TYPE",
          "VALIDATION_FAILED",
          "BUSY",
          "DB_UNAVAILABLE",
          "STORAGE_FULL",
        ),
      },
      detail: {
        summary: "Seal what is stored under the current key",
        description:
          "One slice of at most 200 values. Call it with what it answers as `after` until `isComplete`; begun anew, it " +
          "finds what is done already. The start's check of the key moves last, when nothing is `remaining`.",
        tags,
      },
    });
