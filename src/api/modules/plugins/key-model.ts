import { t } from "elysia";
import { dataOf, done, ruled } from "#api/modules/fields.ts";
import { hasUnprintable, hasVisible } from "#contract/account-rules.ts";

const known = { additionalProperties: false };
const labelLength = 60;
const mostNames = 20;

const label = ruled(
  "atrium-key-label",
  (value) =>
    value.length > labelLength || hasUnprintable(value) || !hasVisible(value)
      ? `Please give a label of 1 to ${labelLength} characters`
      : null,
  {
    description: `What the publisher is called, 1 to ${labelLength} characters`,
    minLength: 1,
    maxLength: labelLength,
  },
);
const namesWanted = `Please give 1 to ${mostNames} names of plugins, in which * stands for any text`;
const names = t.Array(t.String({ pattern: "^(?=.{1,40}$)[a-z0-9*-]+$", error: namesWanted }), {
  minItems: 1,
  maxItems: mostNames,
  description: "Names of plugins that it may sign; `*` stands for any text",
  error: namesWanted,
});
const tier = t.Union([t.Literal("verified"), t.Literal("native")], {
  description: "`native` lets it sign what runs inside the server: for the operator alone",
  error: "Please choose verified or native",
});
const moment = t.Nullable(t.String({ format: "date-time" }), { error: "Please give a date and a time" });

export const keyParams = t.Object({ id: t.String({ description: "Id of the key" }) });
export const addKeyBody = t.Object(
  {
    publicKey: t.String({
      maxLength: 100,
      description: "The raw Ed25519 key in base64",
      error: "Please give a public key in base64",
    }),
    label,
    tier: t.Optional(tier),
    names: t.Optional(names),
    notBefore: t.Optional(moment),
    notAfter: t.Optional(moment),
  },
  known,
);
export const changeKeyBody = t.Object(
  {
    label: t.Optional(label),
    tier: t.Optional(tier),
    names: t.Optional(names),
    notBefore: t.Optional(moment),
    notAfter: t.Optional(moment),
  },
  { ...known, minProperties: 1, error: "Please give what is to be changed" },
);

const instant = t.Nullable(t.String({ format: "date-time" }));
const key = t.Object({
  keyId: t.String({ description: "SHA-256 of the raw key, in hexadecimal digits" }),
  publicKey: t.String(),
  label: t.String(),
  tier: t.UnionEnum(["verified", "native"]),
  names: t.Array(t.String()),
  notBefore: instant,
  notAfter: instant,
  revokedAt: instant,
  source: t.UnionEnum(["store", "environment"]),
  addedBy: t.Nullable(t.String()),
  createdAt: instant,
});
export const keyList = dataOf(t.Object({ keys: t.Array(key) }));
export const keyAnswer = done({ data: key });
