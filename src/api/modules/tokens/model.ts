import { type Static, t } from "elysia";
import { dataOf, done, presentPasswordField, ruled } from "#api/modules/fields.ts";
import {
  networkComplaint,
  tokenLimits,
  tokenNameComplaint,
  tokenScopes,
  tokenStates,
  tokenTexts,
} from "#contract/api-tokens.ts";
import { trimmed } from "#contract/stated.ts";

const known = { additionalProperties: false };

// Six groups and an IPv4 address is the longest form of one.
const longestNetwork = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128";

const name = ruled("atrium-token-name", tokenNameComplaint, {
  description: "What the token is for, 1 to 60 characters",
  ...trimmed(1, tokenLimits.nameLength),
});
const scopes = t.Array(t.UnionEnum([...tokenScopes], { error: tokenTexts.badScopes }), {
  minItems: 1,
  maxItems: tokenScopes.length,
  error: tokenTexts.badScopes,
  description:
    "`*` is everything that tokens may do; any other right includes `read` of its area, and `settings:security` includes " +
    "`settings:write`",
});
const allowedNetworks = t.Array(
  ruled("atrium-token-network", networkComplaint, {
    description: "An IP address, or a range in CIDR form",
    minLength: 2,
    maxLength: longestNetwork.length,
  }),
  {
    maxItems: tokenLimits.networks,
    error: tokenTexts.tooManyNetworks,
    description: "From where it may be used; empty: from anywhere",
  },
);
const callsPerMinute = t.Nullable(
  t.Number({ minimum: 1, maximum: tokenLimits.callsPerMinute, multipleOf: 1, error: tokenTexts.badCalls }),
  { error: tokenTexts.badCalls, description: "`null`: no limit of its own" },
);
const expiresAt = t.Nullable(t.String({ format: "date-time", error: tokenTexts.badExpiry }), {
  error: tokenTexts.badExpiry,
  description: `\`null\`: never. Left out: in ${tokenLimits.defaultDays} days`,
});
/** Asked of people whose sign-in is older than ten minutes and who have a password. */
const password = t.Optional(presentPasswordField);

export const createTokenBody = t.Object(
  {
    name,
    scopes,
    expiresAt: t.Optional(expiresAt),
    allowedNetworks: t.Optional(allowedNetworks),
    callsPerMinute: t.Optional(callsPerMinute),
    password,
  },
  known,
);
export type CreateTokenInput = Static<typeof createTokenBody>;

/** What of a token is to be otherwise; what is absent stays. */
export const changeTokenBody = t.Object(
  {
    name: t.Optional(name),
    allowedNetworks: t.Optional(allowedNetworks),
    callsPerMinute: t.Optional(callsPerMinute),
    password,
  },
  { ...known, minProperties: 1, error: "Please give what is to be changed" },
);
export type ChangeTokenInput = Static<typeof changeTokenBody>;

export const revokeTokenBody = t.Object({ password }, known);
export type RevokeTokenInput = Static<typeof revokeTokenBody>;

export const tokenParams = t.Object({ id: t.String({ description: "Id of the token" }) });

const instant = t.String({ format: "date-time" });

const token = {
  id: t.String({ format: "uuid" }),
  name: t.String(),
  hint: t.String({ description: "The token's last four characters" }),
  scopes: t.Array(t.UnionEnum([...tokenScopes])),
  state: t.UnionEnum([...tokenStates]),
  owner: t.Nullable(
    t.Object({
      id: t.String({ format: "uuid" }),
      name: t.String(),
      email: t.String(),
      isActive: t.Boolean({
        description: "Whether they still are an enabled administrator; while not, the token is refused",
      }),
    }),
    { description: "Whom it acts for; `null`: the operator" },
  ),
  allowedNetworks: t.Array(t.String()),
  callsPerMinute: t.Nullable(t.Number()),
  createdAt: instant,
  expiresAt: t.Nullable(instant),
  lastUsedAt: t.Nullable(instant),
  lastUsedIp: t.Nullable(t.String()),
  revokedAt: t.Nullable(instant),
};

export const tokenList = dataOf(t.Object({ tokens: t.Array(t.Object(token)) }));
export const currentToken = dataOf(t.Object(token));
export const createdToken = done({
  data: t.Object({ ...token, token: t.String({ description: "Shown this once; only its hash is kept" }) }),
});
export const changedToken = done({ data: t.Object(token) });
export const removedToken = done({});
