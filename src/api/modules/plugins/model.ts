import { type TSchema, t } from "elysia";
import { dataOf, done, integer, presentPasswordField, wholeNumberField } from "#api/modules/fields.ts";
import {
  permissionNames,
  pluginStates,
  pluginTiers,
  pluginTypes,
  signatureStates,
} from "#contract/plugins.ts";
import { pluginCommands } from "./commands-model.ts";

const known = { additionalProperties: false };
const instant = t.String({ format: "date-time" });
const nullable = <T extends TSchema>(schema: T) => t.Nullable(schema);
const text = nullable(t.String());

/** The plugin that a call is about. Whatever names none is not found. */
export const pluginParams = t.Object({ name: t.String({ description: "Name of the plugin" }) });
export const versionParams = t.Object({
  name: t.String({ description: "Name of the plugin" }),
  version: t.String({ description: "One of its kept versions" }),
});
export const retainedParams = t.Object({
  name: t.String({ description: "Name of the plugin" }),
  publisher: t.String({ description: "`bundled`, the id of a key, or `unsigned`" }),
});

const shownPackage = t.Optional(
  t.String({
    pattern: "^[0-9a-f]{64}$",
    description:
      "The package that was looked at, as `data.sha256` of the refusal or `versions` of the plugin told it: another one by now is " +
      "refused with `CONSENT_REQUIRED`, and nothing is granted",
    error: "Please give 64 hexadecimal digits",
  }),
);

export const toggleBody = t.Object(
  {
    enabled: t.Boolean({ error: "Please give true or false" }),
    consent: t.Optional(
      t.Boolean({
        description: "Grants all that the plugin asks for",
        error: "Please give true or false",
      }),
    ),
    sha256: shownPackage,
  },
  known,
);
export const activateBody = t.Object(
  {
    consent: t.Optional(
      t.Boolean({
        description: "Grants all that the version asks for",
        error: "Please give true or false",
      }),
    ),
    sha256: shownPackage,
  },
  known,
);

export const replacePublisherBody = t.Object(
  {
    version: t.String({
      maxLength: 100,
      description: "The kept version of the other publisher",
      error: "Please give a version",
    }),
    consent: t.Literal(true, {
      description: "Grants all that the version asks for",
      error: "Please give true to agree",
    }),
    sha256: shownPackage,
    password: t.Optional(presentPasswordField),
  },
  known,
);

const flag = (description: string) =>
  t.Optional(
    t.Union([t.Literal("true"), t.Literal("false")], {
      description,
      error: "Please give true or false",
    }),
  );
export const removeQuery = t.Object(
  {
    retainData: flag("`true` keeps its settings, secrets, values, files and grants"),
    force: flag("`true` first disables the plugins that need it"),
  },
  known,
);
export const uploadQuery = t.Object(
  { allowDowngrade: flag("`true` takes an older version, and the same one again") },
  known,
);
export const logsQuery = t.Object(
  {
    after: wholeNumberField({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      error: "Please give the number of the last line that is known",
      description: "Only lines behind the one with this number",
    }),
  },
  known,
);

export const permission = t.Object({
  name: t.UnionEnum(permissionNames),
  hosts: t.Optional(t.Array(t.String())),
  plugins: t.Optional(t.Array(t.String())),
  reason: t.Optional(t.String()),
});
export const signature = t.Object({
  state: t.UnionEnum(signatureStates),
  keyId: nullable(t.String({ description: "The key whose signature was verified" })),
  claimedKeyId: t.Optional(
    t.String({
      description: "The key that a signature names which could not be verified: a claim of the package",
    }),
  ),
  publisher: text,
  signedAt: text,
});

const publisherText = (description: string) =>
  t.String({ description: `${description}: \`bundled\`, the id of a key, or \`unsigned\`` });
const publisherChanged = nullable(
  t.Object({
    from: publisherText("Publisher of the installed plugin"),
    to: publisherText("Publisher of this package"),
    fromName: t.String({ description: "The same in words" }),
    toName: t.String(),
  }),
);

const panel = t.Object({
  enabled: t.Boolean(),
  menuItem: t.Optional(
    t.Object({ title: t.String(), description: t.String(), icon: t.String(), path: t.String() }),
  ),
  card: t.Optional(
    t.Object({
      title: t.String(),
      description: t.String(),
      icon: t.String(),
      color: t.String(),
      buttonText: t.String(),
      path: t.String(),
    }),
  ),
});

const publicFields = {
  name: t.String(),
  description: t.String(),
  type: t.UnionEnum(pluginTypes),
  enabled: t.Boolean(),
  frontendExists: t.Boolean(),
};
const pluginFields = {
  ...publicFields,
  version: t.String(),
  title: t.String(),
  core: t.Boolean({ description: "Part of Atrium: can't be deleted" }),
  dependsOn: t.Array(t.String()),
  backendExists: t.Boolean(),
  tier: t.UnionEnum(pluginTiers),
  signature,
  state: t.UnionEnum(pluginStates, { description: "On the server that answers" }),
  error: text,
  pendingVersion: nullable(t.String({ description: "A version that waits for consent or could not start" })),
  adminPanel: nullable(panel),
  frontend: nullable(
    t.Object({
      mode: t.UnionEnum(["iframe", "native"], {
        description: "`native` runs in the host's window, as what is trusted with that does",
      }),
      script: t.String(),
      css: text,
      overlay: t.Boolean(),
    }),
  ),
  commandWord: nullable(t.String({ description: "First word of its terminal commands" })),
};

/** The fuller form first: a check takes the first that fits. */
export const pluginList = dataOf(t.Array(t.Union([t.Object(pluginFields), t.Object(publicFields)])));
export const pluginChanged = done({ data: t.Object(pluginFields) });
export const messageAnswer = done({});

const version = t.Object({
  version: t.String(),
  sizeBytes: integer(),
  sha256: t.String(),
  signature,
  publisherChanged,
  permissions: t.Array(permission, { description: "What it asks for" }),
  uploadedAt: instant,
  uploadedBy: text,
  isCurrent: t.Boolean(),
});
const replica = t.Object({
  replica: t.String(),
  state: t.UnionEnum(pluginStates),
  version: t.String(),
  error: text,
  isolation: nullable(t.UnionEnum(["native", "process", "process+seccomp"])),
  memoryBytes: nullable(integer()),
  startedAt: nullable(instant),
  seenAt: instant,
});
const data = t.Object({
  keys: integer(),
  files: integer(),
  fileBytes: integer(),
  secrets: integer(),
  settings: integer(),
  usedBytes: integer(),
  quotaBytes: integer(),
});

export const pluginDetails = dataOf(
  t.Object({
    ...pluginFields,
    author: text,
    homepage: text,
    license: text,
    runtime: nullable(t.UnionEnum(["sandbox", "native"])),
    frontendMode: nullable(t.UnionEnum(["iframe", "native"])),
    requested: t.Array(permission),
    granted: t.Array(
      t.Object({
        ...permission.properties,
        used: integer(),
        refused: integer(),
        lastUsedAt: nullable(instant),
      }),
    ),
    refused: t.Array(t.Object({ name: t.UnionEnum(permissionNames), refused: integer() }), {
      description: "What it tried without a grant, and how often",
    }),
    pendingPermissions: t.Array(permission, {
      description:
        "What a waiting version asks for beyond what is granted, or kept for its publisher where that is another one",
    }),
    publisherChanged,
    limits: t.Object({ memoryMB: t.Number(), cpuMs: t.Number(), wallMs: t.Number() }),
    dependencies: t.Record(t.String(), t.String()),
    dependents: t.Array(t.String()),
    versions: t.Array(version),
    replicas: t.Array(replica),
    routes: t.Array(t.Object({ method: t.String(), path: t.String(), access: t.String(), summary: text })),
    jobs: t.Array(
      t.Object({ name: t.String(), everyMs: t.Number(), lastRunAt: nullable(instant), lastError: text }),
    ),
    hasSettings: t.Boolean(),
    commands: nullable(pluginCommands),
    data,
    retained: t.Array(
      t.Object({
        publisher: publisherText("Former publisher of the plugin, of whom this is kept"),
        publisherName: t.String({ description: "The same in words" }),
        version: t.String({ description: "The version that was in force" }),
        retainedAt: instant,
        data,
      }),
    ),
    installedAt: instant,
    installedBy: text,
    updatedAt: instant,
  }),
);
export const pluginData = dataOf(data);
export const pluginLogs = dataOf(
  t.Object({
    replica: t.String({ description: "The server that answers: each has a log of its own" }),
    lines: t.Array(
      t.Object({
        id: integer(),
        at: instant,
        level: t.UnionEnum(["debug", "info", "warn", "error"]),
        message: t.String(),
        replica: t.String(),
      }),
    ),
  }),
);

export const packagePreview = dataOf(
  t.Object({
    name: t.String(),
    title: t.String(),
    version: t.String(),
    description: t.String(),
    type: t.UnionEnum(pluginTypes),
    author: text,
    sizeBytes: integer(),
    files: integer(),
    signature,
    tier: t.UnionEnum(pluginTiers),
    permissions: t.Array(permission),
    newPermissions: t.Array(permission, {
      description: "Those that the installed plugin was not granted; of another publisher's package, all",
    }),
    dependencies: t.Array(
      t.Object({
        name: t.String(),
        range: t.String(),
        state: t.UnionEnum(["enabled", "disabled", "missing", "outdated"]),
      }),
    ),
    publisherChanged,
    installedVersion: text,
    obstacles: t.Array(t.String(), { description: "Why it could not be installed as it is" }),
    needsDowngrade: t.Boolean({
      description: "Not newer than what is or was installed: taken only with `allowDowngrade`",
    }),
    hasRetainedData: t.Boolean(),
  }),
);
