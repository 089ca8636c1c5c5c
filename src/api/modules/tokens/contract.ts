import type { Kit } from "#api/modules/kit.ts";
import {
  networkComplaint,
  tokenLimits,
  tokenNameComplaint,
  tokenScopes,
  tokenStates,
  tokenTexts,
} from "#contract/api-tokens.ts";
import { trimmed } from "#contract/limits.ts";
import {
  type AnswerOf,
  type CommandGroup,
  type InputOf,
  type OperationArgument,
  type OperationOption,
  operation,
  sampleSecret,
} from "#contract/operation.ts";

const forReading = { access: "admin", scope: "all", proof: "none", tag: "API tokens" } as const;
const forChanging = { ...forReading, proof: "recent", changes: true, responds: "message" } as const;
const presence =
  "From a session older than ten minutes the answer is `REAUTHENTICATION_REQUIRED` unless `password` is given; accounts without a password sign in again. Doesn't apply to the operator and to API tokens.";

const sampleId = "019a9f00-0000-7000-8000-000000000000";
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
        description: "From where it can be used; empty: from anywhere",
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
        description: "Whether the owner is still an enabled administrator; otherwise the token is refused",
      }),
    }),
    { description: "The administrator it acts for; `null`: the operator" },
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
    summary: "an IP address or range that it can be used from; may be repeated; any for anywhere",
  },
  {
    ...{ name: "calls-per-minute", value: "number" },
    summary: "maximum number of calls per minute; none for no limit",
  },
];
const called = "{name} (…{hint})";

/** The word of the commands about API tokens. */
export const tokenGroup: CommandGroup = {
  word: "token",
  summary: "API tokens for scripts and pipelines",
  description: "API tokens, with which scripts, pipelines and assistants use the API",
};

/** What can be done about API tokens. */
export const tokensContract = {
  create: operation("POST /api/admin/tokens", {
    ...forChanging,
    proof: "factor",
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
            "`*` is everything that tokens may do; any other scope includes `read` of its area, and `settings:security` includes `settings:write`",
        }),
        expiresAt: kit.optional(
          kit.nullable(kit.text({ format: "date-time", error: tokenTexts.badExpiry }), {
            error: tokenTexts.badExpiry,
            description: `\`null\`: never. Default: in ${tokenLimits.defaultDays} days`,
          }),
        ),
        ...terms(kit),
      }),
      answer: kit.object({
        ...tokenFields(kit),
        token: kit.text({ description: "Shown only once; only its hash is stored" }),
      }),
    }),
    errors: ["CONFLICT", "RATE_LIMITED", "BUSY"],
    summary: "Create an API token",
    description: `The token is in the response and is not shown again. A token can't create another one with more scopes than its own. ${presence}`,
    conceals: ["token"],
    would: ({ data: { name, scopes } }) => `Would create the token ${name} for ${scopes.join(", ")}`,
    example: {
      ...{ name: "ci", scopes: ["plugins:write", "activity:read"], expiresAt: null },
      ...{ allowedNetworks: ["203.0.113.0/24"], callsPerMinute: 60, password: sampleSecret },
    },
    commands: [
      {
        name: "create",
        summary: "create a token",
        description:
          "Creates an API token and prints it to standard output, so that a script can read it, and its details to standard error. The token is shown only once; only its hash is stored.",
        options: [
          {
            ...{ name: "name", value: "name", required: true },
            summary: "what the token is for; unique among the tokens that can be used",
          },
          {
            ...{ name: "scope", value: "scope", values: tokenScopes, required: true },
            summary: "what it may do; write includes read; may be repeated",
          },
          {
            ...{ name: "expires", value: "when" },
            summary: `when it expires: 90d, 2030-01-31, 2030-01-31T00:00:00Z or never (default: ${tokenLimits.defaultDays}d)`,
          },
          ...termOptions,
          {
            ...{ name: "out", value: "file" },
            summary: "write the token to this file, readable only by its owner, instead of standard output",
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
            summary: "To a file, usable from one network only",
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
    summary: "List API tokens",
    description:
      "Newest first, including those that can no longer be used. Doesn't show the tokens themselves.",
    commands: [
      {
        name: "list",
        action: "List tokens",
        summary: "list the tokens",
        description:
          "Lists the tokens, newest first, including those that can no longer be used. Doesn't show the tokens themselves, only their last four characters. When not on a terminal, one token per line with tabs between name, last characters, scopes, state, owner, last use, expiry and id.",
        options: [
          { name: "state", value: "state", values: tokenStates, summary: "only tokens in this state" },
        ],
        examples: [
          { summary: "All of them", typed: "atrium token list" },
          { summary: "Tokens that can still be used", typed: "atrium token list --state live" },
          {
            summary: "Tokens that were never used, for a script",
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
    errors: ["NOT_FOUND"],
    summary: "The API token that this request is made with",
    description:
      "Its name, scopes and expiry, whatever its scopes are. Not found for requests without a token.",
    // People have no token.
    probe: { status: 404 },
    commands: [
      {
        name: "show",
        action: "Show the token in use",
        summary: "show one token",
        description:
          "Shows the details of a token, not the token itself. Without an argument, shows the one in ATRIUM_TOKEN or --token-file, whatever its scopes are.",
        arguments: [
          {
            ...{ name: "token", required: false },
            summary: "id or name of the token; by default the one that this command uses",
          },
        ],
        examples: [
          { summary: "By name", typed: "atrium token show ci" },
          {
            summary: "The token in a file",
            typed: "atrium token show --url https://atrium.example --token-file ./token",
          },
        ],
      },
    ],
  }),
  change: operation("PATCH /api/admin/tokens/:id", {
    ...forChanging,
    proof: "factor",
    tokens: false,
    takesPassword: true,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact(
        { name: kit.optional(name(kit)), ...terms(kit) },
        { minProperties: 1, error: "Please give at least one change" },
      ),
      answer: token(kit),
    }),
    names: { "200": "DoneWithToken" },
    errors: ["CONFLICT", "RATE_LIMITED", "BUSY", "NOT_FOUND"],
    summary: "Change an API token's name, networks or limit",
    description: `Fields that are left out don't change. Scopes and expiry can't be changed: create a new token instead. ${presence}`,
    would: ({ data: { name } }) => `Would change the token ${name}`,
    example: {
      ...{ id: sampleId, name: "nightly", allowedNetworks: [], callsPerMinute: null },
      password: sampleSecret,
    },
    commands: [
      {
        name: "update",
        action: "Change a token",
        summary: "change a token's name, networks or limit",
        description:
          "Changes only what is given. Scopes and expiry can't be changed: create another token instead.",
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
    errors: ["CONFLICT", "RATE_LIMITED", "BUSY", "NOT_FOUND"],
    summary: "Revoke an API token",
    description: `The next request with it is refused, on every server. ${presence}`,
    would: ({ data: { name } }) => `Would revoke the token ${name}`,
    example: { id: sampleId, password: sampleSecret },
    probe: { params: { id: "none" }, body: {}, status: 404 },
    commands: [
      {
        name: "revoke",
        action: "Revoke a token",
        summary: "revoke a token permanently",
        description:
          "Revokes a token permanently: the next request with it is refused, on every server. Asks for confirmation.",
        arguments: liveToken,
        asks: { question: `Revoke ${called} permanently?` },
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
    errors: ["CONFLICT", "NOT_FOUND"],
    summary: "Remove an API token that can no longer be used",
    would: ({ description }) => `Would remove the token ${description}`,
    description: "Tokens that can still be used have to be revoked first.",
    example: { id: sampleId },
    commands: [
      {
        name: "remove",
        action: "Remove an unusable token",
        summary: "remove a token that can no longer be used from the list",
        description:
          "Removes an expired or revoked token from the list; the activity log keeps what it did. Tokens that can still be used have to be revoked first.",
        arguments: tokenArgument,
        examples: [{ summary: "After it was revoked", typed: "atrium token remove ci" }],
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
