import type { Kit } from "#api/modules/kit.ts";
import { hasUnprintable, hasVisible } from "#contract/account-rules.ts";
import { type OperationOption, operation } from "#contract/operation.ts";
import { forChanging, forReading } from "./parts.ts";

const labelLength = 60;
const mostNames = 20;
const tiers = ["verified", "native"] as const;

const label = (kit: Kit) =>
  kit.checkedText(
    "atrium-key-label",
    (value) =>
      value.length > labelLength || hasUnprintable(value) || !hasVisible(value)
        ? `Please give a label of 1 to ${labelLength} characters`
        : null,
    {
      description: `Name of the publisher, 1 to ${labelLength} characters`,
      minLength: 1,
      maxLength: labelLength,
    },
  );

const namesWanted = `Please give 1 to ${mostNames} names of plugins; * stands for any text`;

/** The terms of a trusted key. */
const terms = (kit: Kit) => {
  const moment = kit.optional(kit.nullable(kit.instant, { error: "Please give a date and a time" }));
  return {
    tier: kit.optional(
      kit.choice(tiers, {
        description: "`native` lets it sign plugins that run inside the server; only the operator can set it",
        error: "Please choose verified or native",
      }),
    ),
    names: kit.optional(
      kit.list(kit.text({ pattern: "^(?=.{1,40}$)[a-z0-9*-]+$", error: namesWanted }), {
        minItems: 1,
        maxItems: mostNames,
        description: "Names of plugins that it may sign; `*` stands for any text",
        error: namesWanted,
      }),
    ),
    notBefore: moment,
    notAfter: moment,
  };
};

const one = (kit: Kit) => kit.object({ id: kit.id("Id of the key") });

/** A publisher's key that admins or the operator trust. */
export const key = (kit: Kit) =>
  kit.object({
    keyId: kit.text({ description: "SHA-256 of the raw key, in hexadecimal digits" }),
    publicKey: kit.text(),
    label: kit.text(),
    tier: kit.oneOf(tiers),
    names: kit.list(kit.text()),
    notBefore: kit.nullable(kit.instant),
    notAfter: kit.nullable(kit.instant),
    revokedAt: kit.nullable(kit.instant),
    source: kit.oneOf(["store", "environment"]),
    addedBy: kit.nullable(kit.text()),
    createdAt: kit.nullable(kit.instant),
  });

const forKeys = { ...forChanging, scope: "all" } as const;

const keyArgument = {
  name: "key-id",
  field: "id",
  finds: "key",
  summary: "id of the key, or its first characters as plugin keys list shows them",
} as const;
const labelOption = { name: "label", value: "text", summary: "name of the publisher" } as const;
const tierOption: OperationOption = {
  ...{ name: "tier", value: "tier", values: tiers },
  summary: "native lets its plugins run inside the server",
};

/** The operations on publishers' keys. */
export const pluginKeysContract = {
  list: operation("GET /api/admin/plugin-keys", {
    ...forReading,
    schemas: (kit) => ({ answer: kit.object({ keys: kit.list(key(kit)) }) }),
    names: { "200.data.keys[]": "PluginKey" },
    summary: "List publishers' keys",
    description:
      "First those that the operator pinned (`environment`), then those that were added here (`store`), revoked " +
      "ones too.",
    commands: [
      {
        ...{ name: "keys list", group: "plugins" },
        action: "List trusted keys",
        summary: "list the keys",
        description:
          "Lists the trusted keys, including revoked ones: as a table in a terminal, otherwise as one " +
          "key per line, with tabs.",
        prints: "keys",
        examples: [{ summary: "All keys", typed: "atrium plugin keys list" }],
      },
    ],
  }),
  trust: operation("POST /api/admin/plugin-keys", {
    ...forKeys,
    proof: "factor",
    tokens: false,
    status: 201,
    schemas: (kit) => ({
      body: kit.exact({
        publicKey: kit.text({
          most: 100,
          description: "The raw Ed25519 key in base64",
          error: "Please give a public key in base64",
        }),
        label: label(kit),
        ...terms(kit),
      }),
      answer: key(kit),
    }),
    names: { "201": "DoneWithPluginKey" },
    errors: ["CONFLICT"],
    summary: "Trust a publisher's key",
    description:
      "Packages signed with it count as this publisher's, for the given plugins and period. Defaults: " +
      "all names, `verified`, no start and no expiry. Only the operator can add a `native` key, which " +
      "signs plugins that run inside the server. `CONFLICT` for a key that already exists. Recorded in " +
      "the activity log.",
    would: ({ data: { label: called, names, tier } }) =>
      `Would trust ${called} for ${names.join(", ")} as ${tier}`,
    example: { publicKey: "A".repeat(44), label: "Ada", tier: "verified", names: ["visitor-*"] },
    commands: [
      {
        ...{ name: "keys add", group: "plugins" },
        summary: "trust a key",
        description:
          "Trusts a publisher's key: packages that are signed with it count as verified. Asks first if " +
          "the key is native.",
        arguments: [
          {
            ...{ name: "public-key", field: "publicKey" },
            summary: "the raw ed25519 key in base64, as plugin keygen prints it",
          },
        ],
        options: [
          { ...labelOption, required: true },
          { ...tierOption, initial: "verified" },
          {
            ...{ name: "names", value: "names" },
            summary: "the plugins it may sign, separated by commas; * stands for any text (default: *)",
          },
          {
            ...{ name: "until", value: "date" },
            summary: "when it expires, as 2027-01-31 or in ISO 8601",
          },
        ],
        message: "Trusted {label} ({keyId})",
        examples: [
          {
            summary: "A publisher",
            typed: "atrium plugin keys add lK2…= --label Northwind --names 'northwind-*'",
          },
          {
            summary: "Your own key, for plugins that run inside the server",
            typed: "atrium plugin keys add lK2…= --label 'Our build' --tier native --yes",
          },
        ],
      },
    ],
  }),
  change: operation("PATCH /api/admin/plugin-keys/:id", {
    ...forKeys,
    proof: "factor",
    tokens: false,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact(
        { label: kit.optional(label(kit)), ...terms(kit) },
        { minProperties: 1, error: "Please give at least one change" },
      ),
      answer: key(kit),
    }),
    errors: ["CONFLICT", "NOT_FOUND"],
    summary: "Change a trusted key",
    description:
      "Fields that are left out stay as they are. A pinned or revoked key is refused with `CONFLICT`; " +
      "only the operator can change `native` keys. Recorded in the activity log with the values before " +
      "and after.",
    would: ({ data: { label: called } }) => `Would change the key of ${called}`,
    example: { id: "none", label: "Ada", notAfter: null },
    commands: [
      {
        ...{ name: "keys set", group: "plugins" },
        summary: "change a trusted key",
        description:
          "Changes a trusted key; options that are not given stay as they are. Asks first before it " +
          "makes a key native. Keys that the operator pinned are changed in PLUGIN_TRUSTED_KEYS, and " +
          "revoked keys can't be changed.",
        arguments: [keyArgument],
        options: [
          labelOption,
          tierOption,
          {
            ...{ name: "names", value: "names" },
            summary: "the plugins it may sign, separated by commas; * stands for any text",
          },
          {
            ...{ name: "until", value: "date" },
            summary: "when it expires, as 2027-01-31, or never",
          },
        ],
        message: "Changed {label} ({keyId})",
        examples: [
          {
            summary: "For other plugins",
            typed: "atrium plugin keys set 5f2c9a0b11d34e7c --names 'northwind-*, weather'",
          },
          {
            summary: "Until the end of a day",
            typed: "atrium plugin keys set 5f2c9a0b11d34e7c --until 2027-01-31",
          },
        ],
      },
    ],
  }),
  revoke: operation("POST /api/admin/plugin-keys/:id/revoke", {
    ...forKeys,
    schemas: (kit) => ({ params: one(kit), answer: key(kit) }),
    errors: ["CONFLICT", "NOT_FOUND"],
    summary: "Revoke a key",
    description: "Permanent. Stops every plugin that it signed, on every server.",
    would: ({ data: { label: called }, descriptions }) => {
      const stopped = descriptions.slice(0, -1);
      const also = stopped.length === 0 ? "" : `, and stop ${stopped.join(", and ")}`;
      return `Would revoke the key of ${called} permanently${also}`;
    },
    example: { id: "none" },
    commands: [
      {
        ...{ name: "keys revoke", group: "plugins" },
        summary: "revoke a key",
        description:
          "Permanently revokes a key and stops the plugins that it signed, on every server. Asks first.",
        arguments: [keyArgument],
        asks: { question: "Permanently revoke the key of {label}?" },
        message: "Revoked {label}",
        examples: [
          {
            summary: "By the first characters of its id",
            typed: "atrium plugin keys revoke 5f2c9a0b11d34e7c",
          },
        ],
      },
    ],
  }),
};
