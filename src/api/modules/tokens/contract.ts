import type { Kit } from "#api/modules/kit.ts";
import {
  networkComplaint,
  tokenLimits,
  tokenNameComplaint,
  tokenScopes,
  tokenStates,
  tokenTexts,
} from "#contract/api-tokens.ts";
import { trimmed } from "#contract/documented-limits.ts";
import { type AnswerOf, type InputOf, operation } from "#contract/operation.ts";
import type { CommandGroup, OperationArgument, OperationOption } from "#contract/operation-commands.ts";

const reading = ["NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"] as const;
const writing = [...reading, "CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL"] as const;
const withBody = [
  "BAD_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_FAILED",
  "REAUTHENTICATION_REQUIRED",
  "RATE_LIMITED",
  "BUSY",
] as const;
const forReading = { access: "admin", scope: "all", proof: "none", tag: "API tokens" } as const;
const forChanging = { ...forReading, proof: "recent", changes: true, responds: "message" } as const;
const presence =
  "From a session older than ten minutes it is answered with `REAUTHENTICATION_REQUIRED` unless `password` is given; who " +
  "has no password signs in again. The operator and tokens are not asked.";

const sampleId = "019a9f00-0000-7000-8000-000000000000";
const samplePassword = "the password of whoever asks";
// Six groups and an IPv4 address is the longest form of one.
const longestNetwork = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128";

const one = (kit: Kit) => kit.object({ id: kit.id("Id of the token") });

const name = (kit: Kit) =>
  kit.checkedText("atrium-token-name", tokenNameComplaint, {
    description: "What the token is for, 1 to 60 characters",
    ...trimmed(1, tokenLimits.nameLength),
  });

/** What bounds a token, as it is wished for. */
const terms = (kit: Kit) => ({
  allowedNetworks: kit.optional(
    kit.list(
      kit.checkedText("atrium-token-network", networkComplaint, {
        description: "An IP address, or a range in CIDR form",
        minLength: 2,
        maxLength: longestNetwork.length,
      }),
      {
        maxItems: tokenLimits.networks,
        error: tokenTexts.tooManyNetworks,
        description: "From where it may be used; empty: from anywhere",
      },
    ),
  ),
  callsPerMinute: kit.optional(
    kit.nullable(
      kit.number({
        minimum: 1,
        maximum: tokenLimits.callsPerMinute,
        multipleOf: 1,
        error: tokenTexts.badCalls,
      }),
      { error: tokenTexts.badCalls, description: "`null`: no limit of its own" },
    ),
  ),
  // Asked of people whose sign-in is older than ten minutes and who have a password.
  password: kit.optional(kit.presentPassword),
});

const tokenFields = (kit: Kit) => ({
  id: kit.uuid,
  name: kit.text(),
  hint: kit.text({ description: "The token's last four characters" }),
  scopes: kit.list(kit.oneOf(tokenScopes)),
  state: kit.oneOf(tokenStates),
  owner: kit.nullable(
    kit.object({
      id: kit.uuid,
      name: kit.text(),
      email: kit.text(),
      isActive: kit.flag({
        description: "Whether they still are an enabled administrator; while not, the token is refused",
      }),
    }),
    { description: "Whom it acts for; `null`: the operator" },
  ),
  allowedNetworks: kit.list(kit.text()),
  callsPerMinute: kit.nullable(kit.number()),
  createdAt: kit.instant,
  expiresAt: kit.nullable(kit.instant),
  lastUsedAt: kit.nullable(kit.instant),
  lastUsedIp: kit.nullable(kit.text()),
  revokedAt: kit.nullable(kit.instant),
});
const token = (kit: Kit) => kit.object(tokenFields(kit));

const tokenArgument = [{ name: "token", field: "id", summary: "id or name of the token" }] as const;
const liveToken: readonly OperationArgument[] = [{ ...tokenArgument[0], finds: "token" }];
const termOptions: readonly OperationOption[] = [
  {
    ...{ name: "network", value: "cidr" },
    summary: "an address or range that it may be used from; may be repeated; any for anywhere",
  },
  {
    ...{ name: "calls-per-minute", value: "number" },
    summary: "how many calls a minute at most; none for no limit",
  },
];
const called = "{name} (…{hint})";

/** The word of the commands about API tokens. */
export const tokenGroup: CommandGroup = {
  word: "token",
  summary: "API tokens for scripts and pipelines",
  description: "API tokens: what scripts, pipelines and assistants call the API with",
};

/** What can be done about API tokens. */
export const tokensContract = {
  create: operation("POST /api/admin/tokens", {
    ...forChanging,
    tokens: false,
    takesPassword: true,
    status: 201,
    schemas: (kit) => ({
      body: kit.exact({
        name: name(kit),
        scopes: kit.list(kit.oneOf(tokenScopes, { error: tokenTexts.badScopes }), {
          minItems: 1,
          maxItems: tokenScopes.length,
          error: tokenTexts.badScopes,
          description:
            "`*` is everything that tokens may do; any other right includes `read` of its area, and `settings:security` includes " +
            "`settings:write`",
        }),
        expiresAt: kit.optional(
          kit.nullable(kit.text({ format: "date-time", error: tokenTexts.badExpiry }), {
            error: tokenTexts.badExpiry,
            description: `\`null\`: never. Left out: in ${tokenLimits.defaultDays} days`,
          }),
        ),
        ...terms(kit),
      }),
      answer: kit.object({
        ...tokenFields(kit),
        token: kit.text({ description: "Shown this once; only its hash is kept" }),
      }),
    }),
    errors: [...writing, ...withBody],
    summary: "Create an API token",
    description: `The answer holds the token, which is shown nowhere else. A token that makes another gives away no more than it has. ${presence}`,
    conceals: ["token"],
    would: ({ data: { name, scopes } }) => `Would create the token ${name} for ${scopes.join(", ")}`,
    example: {
      ...{ name: "ci", scopes: ["plugins:write", "activity:read"], expiresAt: null },
      ...{ allowedNetworks: ["203.0.113.0/24"], callsPerMinute: 60, password: samplePassword },
    },
    probe: { body: {}, status: 422 },
    commands: [
      {
        name: "create",
        action: "Create a token",
        summary: "create a token",
        description:
          "Creates an API token and prints it: alone on standard output, so that a script can take it, and what was created on " +
          "standard error. It is shown this once; only its hash is kept.",
        options: [
          {
            ...{ name: "name", value: "name", required: true },
            summary: "what the token is for; of those that can be used, one has it",
          },
          {
            ...{ name: "scope", value: "scope", values: tokenScopes, required: true },
            summary: "what it may do; write includes read; may be repeated",
          },
          {
            ...{ name: "expires", value: "when" },
            summary: `when it ends: 90d, 2030-01-31, 2030-01-31T00:00:00Z or never (default: ${tokenLimits.defaultDays}d)`,
          },
          ...termOptions,
          {
            ...{ name: "out", value: "file" },
            summary: "write the token to this file, for its owner alone, instead of standard output",
          },
        ],
        examples: [
          {
            summary: "For a pipeline that updates plugins",
            typed: "atrium token create --name ci --scope plugins:write",
          },
          {
            summary: "Into a variable",
            typed: 'ATRIUM_TOKEN="$(atrium token create --name report --scope activity:read --expires 30d)"',
          },
          {
            summary: "Into a file, and usable from one network only",
            typed: "atrium token create --name backup --scope '*' --network 10.0.0.0/8 --out ./token",
          },
          {
            summary: "See what would be created",
            typed: "atrium token create --name ci --scope plugins:write --plan",
          },
        ],
      },
    ],
  }),
  list: operation("GET /api/admin/tokens", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({ answer: kit.object({ tokens: kit.list(token(kit)) }) }),
    names: {
      "200.data.tokens[]": "ApiToken",
      "200.data.tokens[].scopes[]": "TokenScope",
      "200.data.tokens[].state": "TokenState",
      "200.data.tokens[].owner|0": "TokenOwner",
    },
    errors: reading,
    summary: "List API tokens",
    description: "Newest first, with those that can no longer be used. Never the tokens themselves.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        name: "list",
        action: "List tokens",
        summary: "list the tokens",
        description:
          "Lists the tokens, newest first, with those that can no longer be used; never the tokens themselves, only their last " +
          "four characters. Elsewhere than on a terminal one a line with tabs between name, last characters, scopes, state, " +
          "owner, last use, end and id.",
        options: [
          { name: "state", value: "state", values: tokenStates, summary: "only those in this state" },
        ],
        examples: [
          { summary: "All of them", typed: "atrium token list" },
          { summary: "What could be used still", typed: "atrium token list --state live" },
          {
            summary: "What was never used, for a script",
            typed: "atrium token list --json | jq -r '.[] | select(.lastUsedAt == null) | .id'",
          },
        ],
      },
    ],
  }),
  current: operation("GET /api/admin/tokens/current", {
    ...forReading,
    scope: "any",
    responds: "data",
    schemas: (kit) => ({ answer: token(kit) }),
    errors: [...reading, "NOT_FOUND"],
    summary: "The API token that this call is made with",
    description: "Its name, scopes and end, for any token. Not found for calls without one.",
    example: {},
    // People have no token.
    probe: { status: 404 },
    commands: [
      {
        name: "show",
        action: "Show the token in use",
        summary: "show one token",
        description:
          "Shows what is known of a token, never the token itself. Without an argument, of the one in ATRIUM_TOKEN or " +
          "--token-file, whatever its scopes are.",
        arguments: [
          {
            ...{ name: "token", required: false },
            summary: "id or name of the token; without it the one that this command calls with",
          },
        ],
        examples: [
          { summary: "By name", typed: "atrium token show ci" },
          {
            summary: "What is this token for",
            typed: "atrium token show --url https://atrium.example --token-file ./token",
          },
        ],
      },
    ],
  }),
  change: operation("PATCH /api/admin/tokens/:id", {
    ...forChanging,
    tokens: false,
    takesPassword: true,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact(
        { name: kit.optional(name(kit)), ...terms(kit) },
        { minProperties: 1, error: "Please give what is to be changed" },
      ),
      answer: token(kit),
    }),
    names: { "200": "DoneWithToken" },
    errors: [...writing, ...withBody, "NOT_FOUND"],
    summary: "Change an API token's name, networks or limit",
    description: `What is left out stays. Scopes and end cannot be changed: make a new token. ${presence}`,
    would: ({ data: { name } }) => `Would change the token ${name}`,
    example: {
      ...{ id: sampleId, name: "nightly", allowedNetworks: [], callsPerMinute: null },
      password: samplePassword,
    },
    probe: { params: { id: "none" }, body: {}, status: 422 },
    commands: [
      {
        name: "update",
        action: "Change a token",
        summary: "change a token's name, networks or limit",
        description:
          "Changes what is given, and leaves the rest. Scopes and end are fixed: create another token for other ones.",
        arguments: liveToken,
        options: [{ name: "name", value: "name", summary: "what the token is for" }, ...termOptions],
        examples: [
          {
            summary: "Only from two networks",
            typed: "atrium token update ci --network 10.0.0.0/8 --network 192.0.2.7",
          },
          {
            summary: "From anywhere again, without a limit",
            typed: "atrium token update ci --network any --calls-per-minute none",
          },
          { summary: "Another name", typed: "atrium token update ci --name nightly" },
        ],
      },
    ],
  }),
  revoke: operation("POST /api/admin/tokens/:id/revoke", {
    ...forChanging,
    takesPassword: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({ password: kit.optional(kit.presentPassword) }),
      answer: token(kit),
    }),
    errors: [...writing, ...withBody, "NOT_FOUND"],
    summary: "Revoke an API token",
    description: `The very next call with it is refused, on every server. ${presence}`,
    would: ({ data: { name } }) => `Would revoke the token ${name}`,
    example: { id: sampleId, password: samplePassword },
    probe: { params: { id: "none" }, body: {}, status: 404 },
    commands: [
      {
        name: "revoke",
        action: "Revoke a token",
        summary: "end a token at once",
        description:
          "Revokes a token for good: the very next call with it is refused, on every server. Asks first.",
        arguments: liveToken,
        asks: { question: `Revoke ${called} for good?` },
        message: `Revoked ${called}`,
        examples: [
          { summary: "By name", typed: "atrium token revoke ci" },
          { summary: "In a script", typed: `atrium token revoke ${sampleId} --yes` },
        ],
      },
    ],
  }),
  remove: operation("DELETE /api/admin/tokens/:id", {
    ...forChanging,
    schemas: (kit) => ({ params: one(kit) }),
    errors: [...writing, "NOT_FOUND"],
    summary: "Remove an API token that can no longer be used",
    would: ({ description }) => `Would remove the token ${description}`,
    description: "One that can be used still is revoked first.",
    example: { id: sampleId },
    probe: { params: { id: "none" }, status: 404 },
    commands: [
      {
        name: "remove",
        action: "Remove a dead token",
        summary: "take a token that can no longer be used off the list",
        description:
          "Removes a token that has expired or was revoked from the list; the activity log keeps what it did. One that can be " +
          "used still is revoked first.",
        arguments: tokenArgument,
        examples: [{ summary: "Once it is revoked", typed: "atrium token remove ci" }],
      },
    ],
  }),
};

export type CreateTokenInput = InputOf<typeof tokensContract.create>;
export type ChangeTokenInput = InputOf<typeof tokensContract.change>;
export type RevokeTokenInput = InputOf<typeof tokensContract.revoke>;
/** A token as every door shows it: never the token itself. Times are ISO 8601 in UTC. */
export type ApiToken = AnswerOf<typeof tokensContract.current>;
/** A token that was just made: the only time that it is shown. */
export type NewApiToken = AnswerOf<typeof tokensContract.create>;
