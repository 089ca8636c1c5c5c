import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import type { CommandGroup } from "#contract/operation-commands.ts";

const reading = ["NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"] as const;
const forOperators = { access: "operator", proof: "none", responds: "data", tag: "System" } as const;

const fingerprint = (kit: Kit) =>
  kit.text({ description: "Tells keys apart and nothing of them: 16 hexadecimal digits" });

/** The word of the commands about the application's key; `secrets rotate` and `secrets new-key` are written by hand. */
export const secretsGroup: CommandGroup = {
  word: "secrets",
  summary: "the key of what is stored encrypted",
  description:
    "The application's key, under which secrets, waiting mails and the log's seal lie, and its change",
};

/** What can be done about the application's key, on the operator's socket alone. */
export const secretsContract = {
  status: operation("GET /api/system/secrets", {
    ...forOperators,
    schemas: (kit) => ({
      answer: kit.object({
        fingerprint: fingerprint(kit),
        previousFingerprint: kit.nullable(fingerprint(kit)),
        places: kit.list(
          kit.object({
            table: kit.text(),
            column: kit.text(),
            current: kit.count,
            previous: kit.count,
            unknown: kit.integer({ description: "Under a key that is not at hand" }),
          }),
        ),
      }),
    }),
    errors: reading,
    summary: "Which keys there are, and how many values lie under which",
    description:
      "For the operator, over the control socket alone. Keys are told apart by fingerprints, which tell nothing of " +
      "them, and no value is answered. `previous` counts what `POST /api/system/secrets/rotate` is still to seal " +
      "anew, `unknown` what none of the keys at hand opens.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        name: "status",
        summary: "which keys there are, and what lies under which",
        description:
          "Shows the fingerprint of the current key, that of the previous one where APP_SECRET_PREVIOUS is set, and how many " +
          "stored values lie under which. A fingerprint tells keys apart and nothing of them.",
        examples: [
          { summary: "Show it", typed: "atrium secrets status" },
          {
            summary: "Whether the previous key is still needed, for a script",
            typed: "atrium secrets status --json | jq '[.places[].previous] | add'",
          },
        ],
      },
    ],
  }),
  rotate: operation("POST /api/system/secrets/rotate", {
    ...forOperators,
    changes: true,
    schemas: (kit) => ({
      body: kit.exact({
        after: kit.optional(
          kit.text({
            most: 200,
            description: "What the call before answered; left out to begin",
            error: "Please go on with what the call before answered",
          }),
        ),
      }),
      answer: kit.object({
        resealed: kit.integer({ description: "How many values this call sealed anew" }),
        remaining: kit.integer({ description: "How many lie under the previous key still" }),
        unreadable: kit.list(kit.object({ table: kit.text(), column: kit.text(), id: kit.text() }), {
          description: "What neither key opens, of this slice; left as it is",
        }),
        isComplete: kit.flag({ description: "Whether everything was looked at" }),
        after: kit.nullable(kit.text({ description: "Whereby to go on; null at the end" })),
      }),
    }),
    errors: [
      ...reading,
      ...["BAD_REQUEST", "CROSS_ORIGIN", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
      ...["VALIDATION_FAILED", "BUSY", "STORAGE_FULL"],
    ] as const,
    summary: "Seal what is stored under the current key",
    description:
      "One slice of at most 200 values. Call it with what it answers as `after` until `isComplete`; begun anew, it " +
      "finds what is done already. The start's check of the key moves last, when nothing is `remaining`.",
    example: { after: "mails:3" },
    probe: { body: {}, status: 200 },
  }),
};

/** Which keys there are, and how many values lie under which. */
export type SecretsStatus = AnswerOf<typeof secretsContract.status>;
/** What one call of a change of key did. */
export type RotatedSlice = AnswerOf<typeof secretsContract.rotate>;
export type RotateInput = InputOf<typeof secretsContract.rotate>;
