import type { Kit } from "#api/modules/kit.ts";
import { type AnswerOf, type CommandGroup, type InputOf, operation } from "#contract/operation.ts";

const forOperators = { access: "operator", proof: "none", responds: "data", tag: "System" } as const;

const fingerprint = (kit: Kit) =>
  kit.text({ description: "Identifies a key without revealing it: 16 hexadecimal digits" });

/** The word of the commands about the application's key; `secrets rotate` and `secrets new-key` are written by hand. */
export const secretsGroup: CommandGroup = {
  word: "secrets",
  summary: "the key that encrypts stored secrets",
  description:
    "The application's key, which encrypts stored secrets and waiting emails and seals the activity log, and its rotation",
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
            unknown: kit.integer({ description: "Encrypted with a key that is not available" }),
          }),
        ),
      }),
    }),
    summary: "The keys, and how many values each of them encrypts",
    description:
      "For the operator, over the control socket only. Keys are identified by fingerprints, which don't reveal them, and values are never returned. `previous` counts the values that `POST /api/system/secrets/rotate` still has to encrypt again, `unknown` those that no available key decrypts.",
    commands: [
      {
        name: "status",
        summary: "show the keys, and how many values each of them encrypts",
        description:
          "Shows the fingerprint of the current key, of the previous one if APP_SECRET_PREVIOUS is set, and how many stored values each of them encrypts. A fingerprint identifies a key without revealing it.",
        examples: [
          { summary: "Show the keys", typed: "atrium secrets status" },
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
            description: "`after` of the previous response; left out in the first request",
            error: "Please continue with the `after` of the previous response",
          }),
        ),
      }),
      answer: kit.object({
        resealed: kit.integer({ description: "How many values this request encrypted again" }),
        remaining: kit.integer({ description: "How many values still use the previous key" }),
        unreadable: kit.list(kit.object({ table: kit.text(), column: kit.text(), id: kit.text() }), {
          description: "How many values of this batch neither key decrypts; left unchanged",
        }),
        isComplete: kit.flag({ description: "Whether all values were processed" }),
        after: kit.nullable(kit.text({ description: "The position to continue from; null at the end" })),
      }),
    }),
    errors: ["BUSY"],
    summary: "Encrypt stored values with the current key",
    description:
      "Processes a batch of at most 200 values. Repeat the request with the returned `after` until `isComplete`. If you start over, values that are done are skipped. The key check of the server's start is moved last, when nothing is `remaining`.",
    example: { after: "mails:3" },
    probe: { body: {}, status: 200 },
  }),
};

/** Which keys there are, and how many values lie under which. */
export type SecretsStatus = AnswerOf<typeof secretsContract.status>;
/** What one call of a change of key did. */
export type RotatedSlice = AnswerOf<typeof secretsContract.rotate>;
export type RotateInput = InputOf<typeof secretsContract.rotate>;
