import type { Kit } from "#api/modules/kit.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { credentialSettings } from "#contract/credential-settings.ts";
import { groupOf } from "#contract/define-settings.ts";
import { limits } from "#contract/limits.ts";
import {
  type AnswerOf,
  type CommandGroup,
  type InputOf,
  operation,
  sampleSecret,
} from "#contract/operation.ts";
import { changesOf, settingsTexts } from "#contract/settings.ts";
import {
  cardSize,
  iconSizes,
  imageLimits,
  imageTexts,
  imageUses,
  siteImages,
} from "#contract/site-images.ts";
import { siteSettings } from "#contract/site-settings.ts";

const forAdmins = { access: "admin", scope: "settings", proof: "none", tag: "Settings" } as const;
const read = { ...forAdmins, responds: "data" } as const;
const changed = {
  ...forAdmins,
  proof: "recent",
  changes: true,
  isRepeatable: true,
  responds: "message",
} as const;
const tried = { ...forAdmins, responds: "message" } as const;
const aboutTests =
  "A failed test responds with `TEST_FAILED` and the same `testResult` in `data`. For fields that are " +
  "left out, the stored values are used; stored secrets are only sent to their own server. Each admin " +
  "can run one test at a time. API tokens don't get to know why a connection failed.";

const redis = (kit: Kit) => kit.change(groupOf(credentialSettings, "redis"));
const bucket = (kit: Kit) => kit.change(groupOf(credentialSettings, "cloudflareR2"));
const credentials = (kit: Kit) =>
  kit.told(credentialSettings, {
    cloudflareR2: {
      otherEndpoints: kit.list(kit.text(), {
        description: "Origins besides Cloudflare's own that are accepted as `endpointS3`",
      }),
    },
  });

const site = (kit: Kit) =>
  kit.values(siteSettings, {
    locked: kit.list(kit.object({ path: kit.text(), reason: kit.text() }), {
      description: "Fields that can't be changed here, because the operator has set them, with the reason",
    }),
  });

const value = (kit: Kit) =>
  kit.nullable(
    kit.either([
      kit.text({ description: "Of a list, its entries separated by commas" }),
      kit.number(),
      kit.flag(),
    ]),
  );
const sectionsInHistory = ["core", "credentials", "accounts", "site", "providers"] as const;
const change = (kit: Kit) =>
  kit.object({
    id: kit.integer(),
    at: kit.instant,
    section: kit.either([kit.choice(sectionsInHistory), kit.sectionOfFeature]),
    by: kit.text({ description: "Email address of the admin, or `operator`" }),
    fields: kit.list(
      kit.either([
        kit.object({
          path: kit.text(),
          isSecret: kit.literal(false),
          before: value(kit),
          after: value(kit),
        }),
        kit.object({
          path: kit.text(),
          isSecret: kit.literal(true),
          deed: kit.choice(["set", "replaced", "removed"]),
        }),
      ]),
    ),
    reverts: kit.nullable(kit.integer({ description: "The change that this one reverted" })),
    canRevert: kit.flag({ description: "Whether it can be reverted, apart from secrets" }),
    losesSecrets: kit.list(kit.text(), {
      description: "Paths of the secrets that reverting it would delete, because their endpoint changes",
    }),
  });

const tested = (kit: Kit) => kit.object({ testResult: kit.testResult });
const idArgument = [{ name: "id", summary: "number of the change" }];

const smallestPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const sizesText = [...new Set(Object.values(iconSizes).flat())].join(", ");
// Object.keys forgets its keys' type; the record has these and no others.
const namesOf = <Name extends string>(record: Readonly<Record<Name, string>>) =>
  Object.keys(record) as [Name, ...Name[]];

/** The command group of settings; `settings set` and `settings test` are written by hand. */
export const settingsGroup: CommandGroup = {
  word: "settings",
  summary: "limits, switches and external services",
  description:
    "Limits, security switches and external services, as in the admin area. A change takes effect on " +
    "every replica within a second, without a restart.",
};

/** The operations on settings. */
export const settingsContract = {
  credentials: operation("GET /api/auth/settings/credentials", {
    ...read,
    schemas: (kit) => ({ answer: credentials(kit) }),
    names: { "200.data": "Credentials" },
    summary: "Read the external services",
    description:
      "Secrets are never returned: they read as empty, and their `has…` says whether one is stored.",
    calledBy: { command: "settings get", action: "Show the services' settings" },
    tool: {
      name: "get_services",
      title: "Read the external services",
      description:
        "The settings of Redis and object storage. Secrets are never returned; users enter them in the " +
        "admin area.",
    },
  }),
  setCredentials: operation("PUT /api/auth/settings/credentials", {
    ...changed,
    proof: "factor",
    scope: "settings:security",
    schemas: (kit) => ({
      body: kit.change(credentialSettings),
      answer: credentials(kit),
    }),
    names: { "body.redis": "RedisCredentials", "body.cloudflareR2": "StorageCredentials" },
    errors: ["BUSY"],
    summary: "Change the external services",
    would: (done) => `Would ${changesOf("credentials", done)}`,
    description:
      "Fields that are left out stay as they are. A secret that is left out or empty keeps the stored " +
      "one, `null` removes it; if its endpoint changes to another server, it must be entered again. " +
      "Clearing an endpoint removes its secrets, and no secret can be stored without one.",
    example: {
      redis: { endpoint: "redis://default@redis.example:6379/1", password: sampleSecret },
      cloudflareR2: {
        ...{ bucket: "atrium-files", token: `token-${sampleSecret}`, accessKeyId: `access-${sampleSecret}` },
        ...{ secretAccessKey: null, endpointS3: `https://${"a".repeat(32)}.r2.cloudflarestorage.com` },
      },
    },
    probe: { body: { postgres: {} }, status: 422 },
    calledBy: { command: "settings set", action: "Change the services' settings" },
  }),
  core: operation("GET /api/auth/settings/core", {
    ...read,
    schemas: (kit) => ({ answer: kit.values(coreSettings) }),
    names: { "200.data": "CoreSettings", "200.data.rateLimiting.windowMs": "RateLimitWindow" },
    summary: "Read the core settings",
    description:
      "The request limit and the security switches, as stored. While the firewall manages them, other " +
      "values may apply: see `firewall` in `GET /api/system/status`.",
    commands: [
      {
        name: "get",
        action: "Show the core settings",
        summary: "show settings",
        description:
          "Shows all settings, one section, or one setting. Secrets are never shown; fields that begin " +
          "with has say whether one is stored.",
        arguments: [
          {
            ...{ name: "path", required: false },
            summary: "such as core.rateLimiting.maxRequests, or a section such as core.security",
          },
        ],
        examples: [
          { summary: "Everything", typed: "atrium settings get" },
          { summary: "Only one value", typed: "atrium settings get core.rateLimiting.maxRequests" },
          { summary: "A section as JSON", typed: "atrium settings get credentials.redis --json" },
        ],
      },
    ],
    tool: {
      name: "get_settings",
      title: "Read the core settings",
      description: "The request limit and the security switches.",
    },
  }),
  setCore: operation("PUT /api/auth/settings/core", {
    ...changed,
    schemas: (kit) => ({ body: kit.change(coreSettings), answer: kit.values(coreSettings) }),
    errors: ["BUSY", "MANAGED_BY_FIREWALL"],
    summary: "Change the core settings",
    would: (done) => `Would ${changesOf("core", done)}`,
    description:
      "Fields that are left out stay as they are. Refused while the firewall manages these settings. A " +
      "token needs `settings:security` to change `security` or `rateLimiting.enabled`.",
    example: { rateLimiting: { maxRequests: 500 } },
    probe: { body: { rateLimiting: { maxRequests: 9 } }, status: 422 },
    calledBy: { command: "settings set", action: "Change the core settings" },
    tool: {
      name: "set_settings",
      title: "Change the core settings",
      description:
        "Changes the request limit or the security switches, immediately and for everyone; fields that " +
        "are left out stay as they are.",
      isDestructive: true,
    },
  }),
  accounts: operation("GET /api/auth/settings/accounts", {
    ...read,
    schemas: (kit) => ({ answer: kit.values(accountSettings) }),
    names: {
      "200.data": "AccountSettings",
      "200.data.registration": "RegistrationPolicy",
      "200.data.verification": "VerificationMode",
      "200.data.emailChange": "EmailChangeMode",
      "200.data.breachedPasswords": "BreachCheckMode",
      "200.data.secondFactor": "SecondFactorPolicy",
    },
    summary: "Read the account settings",
    description: "The firewall never manages these settings.",
    calledBy: { command: "settings get", action: "Show the account settings" },
  }),
  setAccounts: operation("PUT /api/auth/settings/accounts", {
    ...changed,
    proof: "factor",
    scope: "settings:security",
    schemas: (kit) => ({ body: kit.change(accountSettings), answer: kit.values(accountSettings) }),
    errors: ["BUSY", "SECOND_FACTOR_FIRST"],
    summary: "Change the account settings",
    would: (done) => `Would ${changesOf("accounts", done)}`,
    description:
      "Fields that are left out stay as they are. The firewall never manages these settings. A token " +
      "needs `settings:security`, and only changes `verification` and `breachedPasswords`: for the others " +
      "it gets 403 `SESSION_REQUIRED`. Requiring a second factor takes an own one with recovery codes.",
    example: { verification: "always-choose" },
    probe: { body: { verification: "never" }, status: 422 },
    calledBy: { command: "settings set", action: "Change the account settings" },
  }),
  site: operation("GET /api/auth/settings/site", {
    ...read,
    schemas: (kit) => ({ answer: site(kit) }),
    names: {
      "200.data": "SiteSettings",
      "200.data.docs": "DocsReaders",
    },
    summary: "Read the site settings",
    description: "What the site is called and who runs it. The firewall never manages these settings.",
    calledBy: { command: "settings get", action: "Show the site settings" },
  }),
  setSite: operation("PUT /api/auth/settings/site", {
    ...changed,
    schemas: (kit) => ({ body: kit.change(siteSettings), answer: site(kit) }),
    errors: ["BUSY"],
    summary: "Change the site settings",
    would: (done) => `Would ${changesOf("site", done)}`,
    description:
      "Fields that are left out stay as they are. Pages and emails follow within a second on every replica.",
    example: { name: "Northwind", accent: "#1d4ed8" },
    probe: { body: { accent: "blue" }, status: 422 },
    calledBy: { command: "settings set", action: "Change the site settings" },
  }),
  uploadImage: operation("POST /api/auth/settings/site/images", {
    ...forAdmins,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({
        image: kit.oneOf(namesOf(siteImages)),
        files: kit.list(
          kit.exact({
            use: kit.oneOf(imageUses, {
              description:
                "`full` is the image itself. `email` is the logo as PNG for emails; `icon` and `maskable` are the icon in one " +
                "of its sizes, as it is and on a tile; `drawn` is a card that was made for the site's name",
            }),
            content: kit.text({
              most: Math.ceil(imageLimits.bytes / 3) * 4,
              description: "The file's bytes in base64",
              error: imageTexts.notBase64,
            }),
          }),
          { minItems: 1, maxItems: imageLimits.files },
        ),
      }),
      answer: kit.object({
        image: kit.oneOf(namesOf(siteImages)),
        value: kit.text({
          description: "What the setting of this name has to hold so that the image is used",
        }),
        files: kit.list(
          kit.object({
            use: kit.oneOf(imageUses),
            width: kit.integer(),
            height: kit.integer(),
            address: kit.text({ description: "Path on this site" }),
          }),
        ),
      }),
    }),
    names: { "body.image": "SiteImage" },
    summary: "Upload an image of the site",
    would: () => "Would store the image",
    description:
      "Stores a logo, icon or social card. The image is used once `PUT /api/auth/settings/site` has named the answered " +
      "`value`; one that isn't named within a day is deleted. Files are PNG, JPEG, WebP or SVG by their content, with at most " +
      `${imageLimits.edge} pixels at each edge. The server resizes nothing: an icon comes in all its sizes (${sizesText}), or ` +
      `as one square PNG of at least 512 pixels; a card has ${cardSize.width} by ${cardSize.height}.`,
    example: { image: "logo", files: [{ use: "full", content: smallestPng }] },
    probe: { body: { image: "logo", files: [{ use: "full", content: "AAAA" }] }, status: 422 },
    calledBy: { command: "settings image", action: "Upload an image of the site" },
  }),
  history: operation("GET /api/auth/settings/history", {
    ...read,
    schemas: (kit) => ({
      query: kit.exact({
        limit: kit.limit,
        section: kit.optional(
          kit.choice(sectionsInHistory, { error: `Please choose ${sectionsInHistory.join(", ")}` }),
        ),
        before: kit.optional(
          kit.wholeNumber({
            minimum: 1,
            maximum: limits.activityId,
            error: settingsTexts.changeIdInvalid,
            description: "Only changes older than this one's id",
          }),
        ),
      }),
      answer: kit.object({
        changes: kit.list(change(kit), { description: "Newest first" }),
        pagination: kit.object({ total: kit.integer(), limit: kit.integer() }),
      }),
    }),
    names: { "200.data.changes[]": "SettingsChange" },
    summary: "List changes of settings",
    description: "Newest first. Of secrets, only whether they were set, replaced or removed.",
    example: { limit: "5", before: "1000" },
    commands: [
      {
        name: "history",
        action: "List changes of settings",
        summary: "show who changed what",
        description:
          "Lists changes of settings, newest first, with who made them. Of secrets, it only says " +
          "whether they were set, replaced or removed. Long values are cut in a terminal; settings " +
          "show prints a change completely.",
        options: [
          {
            ...{ name: "limit", value: "changes", type: "integer", least: 1, most: limits.pageSizeMax },
            summary: "how many to list, 1 to 100 (default: 25)",
          },
          {
            ...{ name: "before", value: "id", type: "integer", least: 0 },
            summary: "only changes older than this one",
          },
          {
            ...{ name: "section", values: sectionsInHistory },
            summary: "only changes of this part of the settings",
          },
        ],
        examples: [
          { summary: "The newest", typed: "atrium settings history" },
          { summary: "One of them in full", typed: "atrium settings show 12" },
          { summary: "Who changed the request limit", typed: "atrium settings history | grep rateLimiting" },
        ],
      },
      {
        name: "show",
        action: "Show a change of settings",
        summary: "show one change",
        description:
          "Shows one change in full, one field per line with its values before and after. The number " +
          "is in the first column of the history.",
        arguments: idArgument,
        examples: [
          { summary: "As text", typed: "atrium settings show 12" },
          {
            summary: "Whether it can be reverted, for a script",
            typed: "atrium settings show 12 --json | jq .canRevert",
          },
        ],
      },
    ],
    tool: {
      name: "list_settings_changes",
      title: "List changes of settings",
      description: "Who changed which setting from what to what, newest first.",
      omits: ["section"],
    },
  }),
  revert: operation("POST /api/auth/settings/history/:id/revert", {
    ...forAdmins,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: kit.object({ id: kit.id("The change's id") }), answer: change(kit) }),
    errors: ["BUSY", "NOT_FOUND", "CONFLICT", "SECOND_FACTOR_FIRST"],
    summary: "Revert a change of settings",
    would: ({ input, data, ...done }) => `Would revert change ${input.id}: ${changesOf(data.section, done)}`,
    description:
      "Apart from secrets, and only if nothing of it was changed again later. If an endpoint goes back " +
      "to another server, its secrets are deleted. The revert is a change itself; a token needs the " +
      "scope of what it changes, and gets 403 `SESSION_REQUIRED` where none changes that.",
    example: { id: "1" },
    commands: [
      {
        name: "revert",
        action: "Revert a change of settings",
        summary: "revert a change",
        description:
          "Restores the values that a change replaced. Secrets can't be restored, because they are not " +
          "kept in the history. Shows the new value of each field and which secrets are permanently " +
          "deleted, and asks first. To undo it, revert the change that this makes.",
        arguments: idArgument,
        examples: [
          { summary: "Ask first", typed: "atrium settings revert 12" },
          { summary: "In a script", typed: "atrium settings revert 12 --yes" },
        ],
      },
    ],
  }),
  testRedis: operation("POST /api/auth/settings/test-redis", {
    ...tried,
    scope: "settings:security",
    proof: "factor",
    schemas: (kit) => ({ body: redis(kit), answer: tested(kit) }),
    errors: ["CONFLICT", "TEST_FAILED"],
    summary: "Test the connection to Redis",
    description: aboutTests,
    example: { endpoint: `redis://:${sampleSecret}@redis.example`, password: sampleSecret },
    probe: { body: { endpoint: "none" }, status: 422 },
    calledBy: { command: "settings test redis", action: "Test Redis" },
  }),
  testStorage: operation("POST /api/auth/settings/test-r2", {
    ...tried,
    scope: "settings:security",
    proof: "factor",
    schemas: (kit) => ({ body: bucket(kit), answer: tested(kit) }),
    errors: ["CONFLICT", "TEST_FAILED"],
    summary: "Test the connection to object storage",
    description: aboutTests,
    example: {
      ...{ bucket: "atrium-files", accessKeyId: `access-${sampleSecret}` },
      secretAccessKey: `secret-${sampleSecret}`,
      endpointS3: `https://${"a".repeat(32)}.r2.cloudflarestorage.com`,
    },
    probe: { body: { bucket: "no" }, status: 422 },
    calledBy: { command: "settings test r2", action: "Test object storage" },
  }),
  testRateLimit: operation("POST /api/auth/settings/test-rate-limit", {
    ...tried,
    schemas: (kit) => ({ answer: tested(kit) }),
    errors: ["CONFLICT", "TEST_FAILED"],
    summary: "Test the request limit",
    description: aboutTests,
    calledBy: { command: "settings test rate-limit", action: "Test the request limit" },
  }),
};

/**
 * The external services as admins see them. Secrets are never returned: they read as `""`, and their `has…` says
 * whether one is stored.
 */
export type Credentials = AnswerOf<typeof settingsContract.credentials>;
/** What admins and the operator have set of the site, and what of it can't be changed here. */
export type SiteAnswer = AnswerOf<typeof settingsContract.site>;
/** A change of the external services. Absent or empty secrets stay, `null` removes them; absent fields stay. */
export type CredentialsChange = InputOf<typeof settingsContract.setCredentials>;
/** The files of an image to store, each for its use. */
export type UploadImageInput = InputOf<typeof settingsContract.uploadImage>;
/** A stored image, and what its setting has to hold. */
export type SavedImage = AnswerOf<typeof settingsContract.uploadImage>;
/** What to test instead of the stored values; absent and empty fields use the stored ones. */
export type TestRedisInput = InputOf<typeof settingsContract.testRedis>;
export type TestBucketInput = InputOf<typeof settingsContract.testStorage>;
/** A page of the history of settings: the newest, or those before an id. */
export type ListChangesInput = InputOf<typeof settingsContract.history>;
export type SettingsHistory = AnswerOf<typeof settingsContract.history>;
/**
 * One change of settings. `reverts` is the change that it reverted, `canRevert` whether its plain fields can be
 * restored, and `losesSecrets` the paths of the secrets that this would delete, because their endpoint changes.
 */
export type SettingsChange = AnswerOf<typeof settingsContract.revert>;
