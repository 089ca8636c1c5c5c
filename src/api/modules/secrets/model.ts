import { type Static, t } from "elysia";
import { dataOf, integer } from "#api/modules/fields.ts";

const count = integer({ minimum: 0 });
const fingerprint = t.String({ description: "Tells keys apart and nothing of them: 16 hexadecimal digits" });

/** Where to go on. */
export const rotateBody = t.Object(
  {
    after: t.Optional(
      t.String({
        maxLength: 200,
        description: "What the call before answered; left out to begin",
        error: "Please go on with what the call before answered",
      }),
    ),
  },
  { additionalProperties: false },
);
export type RotateInput = Static<typeof rotateBody>;

export const rotateAnswer = dataOf(
  t.Object({
    resealed: integer({ description: "How many values this call sealed anew" }),
    remaining: integer({ description: "How many lie under the previous key still" }),
    unreadable: t.Array(t.Object({ table: t.String(), column: t.String(), id: t.String() }), {
      description: "What neither key opens, of this slice; left as it is",
    }),
    isComplete: t.Boolean({ description: "Whether everything was looked at" }),
    after: t.Nullable(t.String({ description: "Whereby to go on; null at the end" })),
  }),
);
export type RotatedSlice = Static<typeof rotateAnswer>["data"];

export const secretsAnswer = dataOf(
  t.Object({
    fingerprint,
    previousFingerprint: t.Nullable(fingerprint),
    places: t.Array(
      t.Object({
        table: t.String(),
        column: t.String(),
        current: count,
        previous: count,
        unknown: integer({ description: "Under a key that is not at hand" }),
      }),
    ),
  }),
);
export type SecretsStatus = Static<typeof secretsAnswer>["data"];
