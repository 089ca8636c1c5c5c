import type { Kit } from "#api/modules/kit.ts";
import { hasUnprintable, hasVisible } from "#contract/account-rules.ts";
import { operation } from "#contract/operation.ts";
import type { OperationOption } from "#contract/operation-commands.ts";
import { bodyRefusals, forChanging, forReading, refusals } from "./parts.ts";

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
      description: `What the publisher is called, 1 to ${labelLength} characters`,
      minLength: 1,
      maxLength: labelLength,
    },
  );

const namesWanted = `Please give 1 to ${mostNames} names of plugins, in which * stands for any text`;

/** On what terms a key is trusted. */
const terms = (kit: Kit) => {
  const moment = kit.optional(kit.nullable(kit.instant, { error: "Please give a date and a time" }));
  return {
    tier: kit.optional(
      kit.choice(tiers, {
        description: "`native` lets it sign what runs inside the server: for the operator alone",
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
const writing = [...refusals, "CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL"] as const;

const keyArgument = {
  name: "key-id",
  field: "id",
  finds: "key",
  summary: "id of the key, or its beginning as plugin keys list shows it",
} as const;
const labelOption = { name: "label", value: "text", summary: "whose key it is" } as const;
const tierOption: OperationOption = {
  ...{ name: "tier", value: "tier", values: tiers },
  summary: "native lets its plugins run inside the server",
};
const aboutNone = { params: { id: "none" }, status: 404 } as const;

/** What can be done about the keys of publishers whose signatures are trusted. */
export const pluginKeysContract = {
  list: operation("GET /api/admin/plugin-keys", {
    ...forReading,
    schemas: (kit) => ({ answer: kit.object({ keys: kit.list(key(kit)) }) }),
    names: { "200.data.keys[]": "PluginKey" },
    errors: refusals,
    summary: "List publishers' keys",
    description:
      "First those that the operator pinned (`environment`), then those that were added here (`store`), revoked " +
      "ones too.",
    example: {},
    probe: { status: 200 },
    commands: [
      {
        ...{ name: "keys list", group: "plugins" },
        action: "List trusted keys",
        summary: "list the keys",
        description:
          "Lists the trusted keys, revoked ones too. Elsewhere than on a terminal one a line with tabs.",
        prints: "keys",
        examples: [{ summary: "All of them", typed: "atrium plugin keys list" }],
      },
    ],
  }),
  trust: operation("POST /api/admin/plugin-keys", {
    ...forKeys,
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
    errors: [...writing, ...bodyRefusals],
    summary: "Trust a publisher's key",
    description:
      "What is signed with it counts as this publisher's, for the plugins and the time given; left out: all names, " +
      "`verified`, without beginning or end. Only the operator may add a `native` one, which signs what runs inside " +
      "the server. `CONFLICT` for a key that is known. Stands in the activity log.",
    would: ({ data: { label: called, names, tier } }) =>
      `Would trust ${called} for ${names.join(", ")} as ${tier}`,
    example: { publicKey: "A".repeat(44), label: "Ada", tier: "verified", names: ["visitor-*"] },
    probe: { body: {}, status: 422 },
    commands: [
      {
        ...{ name: "keys add", group: "plugins" },
        action: "Trust a key",
        summary: "trust a key",
        description:
          "Trusts a publisher's key: packages that it signed count as verified. A native key asks first.",
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
            summary: "the plugins it may sign, with commas between them; * stands for any text (default: *)",
          },
          {
            ...{ name: "until", value: "date" },
            summary: "the last moment at which it counts, as 2027-01-31 or in ISO 8601",
          },
        ],
        message: "Trusted {label} ({keyId})",
        examples: [
          {
            summary: "A publisher",
            typed: "atrium plugin keys add lK2…= --label Northwind --names 'northwind-*'",
          },
          {
            summary: "Your own, inside the server",
            typed: "atrium plugin keys add lK2…= --label 'Our build' --tier native --yes",
          },
        ],
      },
    ],
  }),
  change: operation("PATCH /api/admin/plugin-keys/:id", {
    ...forKeys,
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
    errors: [...writing, ...bodyRefusals, "NOT_FOUND"],
    summary: "Change on what terms a key is trusted",
    description:
      "What is left out stays. A pinned or a revoked key is refused with `CONFLICT`; what concerns `native` keys is " +
      "the operator's alone. Stands in the activity log with the terms before and after.",
    would: ({ data: { label: called } }) => `Would change the key of ${called}`,
    example: { id: "none", label: "Ada", notAfter: null },
    probe: { ...aboutNone, body: { tier: "none" }, status: 422 },
    commands: [
      {
        ...{ name: "keys set", group: "plugins" },
        action: "Change a trusted key",
        summary: "change on what terms a key is trusted",
        description:
          "Changes what was said of a key that is trusted; what is not given stays. To make a key native asks first. Keys that " +
          "the operator pinned are changed in PLUGIN_TRUSTED_KEYS, and revoked ones stay so.",
        arguments: [keyArgument],
        options: [
          labelOption,
          tierOption,
          {
            ...{ name: "names", value: "names" },
            summary: "the plugins it may sign, with commas; * stands for any text",
          },
          {
            ...{ name: "until", value: "date" },
            summary: "the last moment at which it counts, as 2027-01-31, or never",
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
    errors: [...writing, "NOT_FOUND"],
    summary: "Trust a key no longer",
    description: "Stops every plugin that it signed, on every server.",
    would: ({ data: { label: called }, descriptions }) => {
      const stopped = descriptions.slice(0, -1);
      const also = stopped.length === 0 ? "" : `, and stop ${stopped.join(", and ")}`;
      return `Would revoke the key of ${called} permanently${also}`;
    },
    example: { id: "none" },
    probe: aboutNone,
    commands: [
      {
        ...{ name: "keys revoke", group: "plugins" },
        action: "Revoke a key",
        summary: "trust a key no more",
        description:
          "Revokes a key for good: plugins that it signed are stopped on every server. Asks first.",
        arguments: [keyArgument],
        asks: { question: "Revoke the key of {label} for good?" },
        message: "Revoked {label}",
        examples: [
          {
            summary: "By the beginning of its id",
            typed: "atrium plugin keys revoke 5f2c9a0b11d34e7c",
          },
        ],
      },
    ],
  }),
};
