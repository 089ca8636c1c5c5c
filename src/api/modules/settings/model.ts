import type { TObject, TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { dataOf, done, integer, wholeNumberField } from "#api/modules/fields.ts";
import { accountSettings } from "#contract/account-settings.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { credentialLengths } from "#contract/credential-rules.ts";
import {
  type ChangeOf,
  isSetting,
  lengthOf,
  refusalOf,
  type Setting,
  type SettingsSection,
} from "#contract/define-settings.ts";
import { limits } from "#contract/limits.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { type Stated, trimmed } from "#contract/stated.ts";

const known = { additionalProperties: false };
// The rules are the operation's to check, which brings texts into their form first.
const text = (description: string, stated: Stated) =>
  t.Optional(t.String({ description, stated, error: settingsTexts.textExpected }));
const secret = (description: string, stated: Stated = trimmed(0, credentialLengths.secret)) =>
  t.Optional(
    t.Nullable(
      t.String({
        description: `${description}. Absent or empty keeps the stored one, \`null\` removes it`,
        writeOnly: true,
        stated,
      }),
      { error: settingsTexts.textExpected },
    ),
  );

// A name has 253 characters at most (RFC 1035 §2.3.4), and may end with a dot.
const originLength = "https://".length + 254 + ":65535/".length;

const bucketFields = {
  bucket: text("Name of the bucket: 3 to 63 small letters, digits and hyphens", {
    pattern: "^\\s*(?:[a-z0-9-]{3,63}\\s*)?$",
  }),
  token: secret("API token of Cloudflare"),
  accessKeyId: secret("Id of the access key"),
  secretAccessKey: secret("Secret of the access key"),
  endpointS3: text(
    "`https://<32 hex characters>.r2.cloudflarestorage.com`, or an origin of `S3_ENDPOINTS`",
    trimmed(0, originLength),
  ),
};
const redisFields = {
  endpoint: text(
    "`redis[s]://[[user]:password@]host[:port][/db]`; a password in it is kept as the secret",
    trimmed(0, credentialLengths.endpoint),
  ),
  // It may begin or end with a space.
  password: secret("Password", { maxLength: credentialLengths.secret }),
};

export const credentialsBody = t.Object(
  {
    redis: t.Optional(t.Object(redisFields, known)),
    cloudflareR2: t.Optional(t.Object(bucketFields, known)),
  },
  known,
);
/** What to try in place of what is stored; all of it may be left out. */
export const testRedisBody = t.Object(redisFields, known);
export const testBucketBody = t.Object(bucketFields, known);

const untold = t.Literal("", { description: "Never told" });
const credentials = t.Object({
  redis: t.Object({ endpoint: t.String(), hasPassword: t.Boolean() }),
  cloudflareR2: t.Object({
    bucket: t.String(),
    token: untold,
    accessKeyId: untold,
    secretAccessKey: untold,
    endpointS3: t.String(),
    hasToken: t.Boolean(),
    hasAccessKeyId: t.Boolean(),
    hasSecretAccessKey: t.Boolean(),
    otherEndpoints: t.Array(t.String(), {
      description: "Origins besides Cloudflare's own that are accepted as `endpointS3`",
    }),
  }),
});
export const credentialsAnswer = dataOf(credentials);
export const changedCredentials = done({ data: credentials });

/** The body and the answers of a section whose settings are declared. */
const declared = <Values extends object>({ fields }: SettingsSection<string, Values>) => {
  // The types are the declaration's; what is built of it checks the same.
  const values = t.Unsafe<Values>(objectOf(fields, false));
  const body = t.Unsafe<ChangeOf<Values>>(objectOf(fields, true));
  return { body, answer: dataOf(values), changed: done({ data: values }) };
};

const objectOf = (fields: SettingsSection["fields"], isChange: boolean): TObject => {
  const members = Object.entries(fields).map(([name, field]) => {
    const schema = isSetting(field) ? schemaOf(field) : objectOf(field, isChange);
    return [name, isChange ? t.Optional(schema) : schema];
  });
  return t.Object(Object.fromEntries(members), isChange ? known : {});
};

const schemaOf = (setting: Setting): TSchema => {
  const { label, description = setting.hint ?? label } = setting;
  const error = refusalOf(setting);
  switch (setting.kind) {
    case "integer": {
      const { min: minimum, max: maximum } = setting;
      return t.Number({
        description: setting.description ?? `A whole number from ${minimum} to ${maximum}`,
        stated: { type: "integer", minimum, maximum } satisfies Stated,
        error,
      });
    }
    case "duration":
      return t.Number({
        description: setting.description ?? `One of ${setting.options.join(", ")}`,
        stated: { type: "integer", enum: setting.options } satisfies Stated,
        error,
      });
    case "choice":
      // A choice without a choice would not be declared.
      return t.UnionEnum(Object.keys(setting.options) as [string, ...string[]], { description, error });
    case "switch":
      return t.Boolean({ description, error });
    case "text":
      return t.String({
        description: `${setting.description ?? label}, ${lengthOf(setting)} characters`,
        stated: { minLength: setting.mayBeEmpty ? 0 : 1, maxLength: setting.max } satisfies Stated,
        error,
      });
  }
};

export const core = declared(coreSettings);
export const accounts = declared(accountSettings);

const anyValue = t.Nullable(t.Union([t.String(), t.Number(), t.Boolean()]));
const change = t.Object({
  id: integer(),
  at: t.String({ format: "date-time" }),
  section: t.UnionEnum(["core", "credentials", "accounts"]),
  by: t.String({ description: "E-mail address of the admin, or `operator`" }),
  fields: t.Array(
    t.Union([
      t.Object({ path: t.String(), isSecret: t.Literal(false), before: anyValue, after: anyValue }),
      t.Object({
        path: t.String(),
        isSecret: t.Literal(true),
        deed: t.UnionEnum(["set", "replaced", "removed"]),
      }),
    ]),
  ),
  reverts: t.Nullable(integer({ description: "The change that this one took back" })),
  canRevert: t.Boolean({ description: "Whether it can be taken back, secrets excepted" }),
  losesSecrets: t.Array(t.String(), {
    description: "Paths of the secrets that would be deleted by taking it back, because their endpoint goes",
  }),
});
export const historyQuery = t.Object(
  {
    limit: wholeNumberField({
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: limits.pageSize,
      error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
    }),
    before: t.Optional(
      wholeNumberField({
        minimum: 1,
        maximum: limits.activityId,
        error: settingsTexts.changeIdInvalid,
        description: "Only changes older than the one with this id",
      }),
    ),
  },
  known,
);
export const historyAnswer = dataOf(
  t.Object({
    changes: t.Array(change, { description: "Newest first" }),
    pagination: t.Object({ total: integer(), limit: integer() }),
  }),
);
export const changeParams = t.Object({ id: t.String({ description: "The change's id" }) });
export const revertedAnswer = done({ data: change });
