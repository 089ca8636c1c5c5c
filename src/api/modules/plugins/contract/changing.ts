import type { Kit } from "#api/modules/kit.ts";
import { operation } from "#contract/operation.ts";
import {
  aboutNone,
  bodyRefusals,
  forChanging,
  nameArgument,
  one,
  oneRetained,
  oneVersion,
  plugin,
  queryFlag,
  readRefusals,
  refusals,
  sampleName,
  versionArgument,
} from "./parts.ts";

const writing = ["CROSS_ORIGIN", "CONFLICT", "STORAGE_FULL", "BUSY"] as const;
const changing = [...readRefusals, ...writing] as const;

const consent = (kit: Kit, description: string) =>
  kit.optional(kit.flag({ description, error: "Please give true or false" }));

const shownPackage = (kit: Kit) =>
  kit.optional(
    kit.text({
      pattern: "^[0-9a-f]{64}$",
      description:
        "The package that was looked at, as `data.sha256` of the refusal or `versions` of the plugin told it: another one by now is " +
        "refused with `CONSENT_REQUIRED`, and nothing is granted",
      error: "Please give 64 hexadecimal digits",
    }),
  );

const aboutConsent =
  "Plugins that ask for permissions, or are unsigned, are refused with CONSENT_REQUIRED and the list of what they ask for: " +
  "show that list to the person you work for. Only they can consent, signed in to the admin area.";
const personOnly = ["consent", "sha256"] as const;
const agreed = (given: boolean | undefined) => (given ? ", and grant all that it asks for" : "");

const { scope: _, ...forPeople } = forChanging;

const sampleVersion = { params: { name: "none", version: "1.0.0" }, status: 404 } as const;

/** What changes installed plugins. */
export const changes = {
  toggle: operation("POST /api/plugins/:name/toggle", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({
        enabled: kit.flag({ error: "Please give true or false" }),
        consent: consent(kit, "Grants all that the plugin asks for"),
        sha256: shownPackage(kit),
      }),
      answer: plugin(kit),
    }),
    names: { "200": "DoneWithPlugin" },
    errors: [...changing, ...bodyRefusals],
    summary: "Enable or disable a plugin",
    description:
      "Enabling asks for consent (409 `CONSENT_REQUIRED` with `data.permissions`, `data.signature`, `data.version` and " +
      "`data.sha256`) where the plugin asks for permissions that are not granted, or is unsigned; `consent: true` grants " +
      "them, and with `sha256` only if it is that package still. Only sessions and the control socket may consent; a token that " +
      "does gets 403 `SESSION_REQUIRED`. What a plugin needs has to be enabled before (409 `DEPENDENCY_DISABLED`); what needs it is disabled with it.",
    would: ({ input: { enabled, consent: given }, data: { title, version }, descriptions }) =>
      enabled
        ? `Would enable ${title} ${version}${agreed(given)}`
        : `Would disable ${descriptions.join(", and ")}`,
    example: { name: sampleName, enabled: true, consent: true },
    probe: { ...aboutNone, body: {}, status: 422 },
    commands: [
      {
        name: "enable",
        action: "Enable a plugin",
        summary: "switch a plugin on",
        description:
          "Enables a plugin and waits until it runs. When it asks for permissions, or nobody signed it, shows what it wants " +
          "and asks; --yes grants it.",
        arguments: [nameArgument],
        fixed: { enabled: true },
        examples: [
          { summary: "See what it wants, and decide", typed: "atrium plugin enable visitor-notes" },
          { summary: "In a script", typed: "atrium plugin enable visitor-notes --yes" },
        ],
      },
      {
        name: "disable",
        action: "Disable a plugin",
        summary: "switch a plugin off",
        description:
          "Disables a plugin, and first those that need it, after it has named them and asked. They stay off when it comes " +
          "back. Its data stays.",
        arguments: [nameArgument],
        fixed: { enabled: false },
        examples: [
          { summary: "Where nothing needs it, at once", typed: "atrium plugin disable visitor-notes" },
          { summary: "With all that need it, in a script", typed: "atrium plugin disable licensing --yes" },
        ],
      },
    ],
    tool: [
      {
        name: "enable_plugin",
        title: "Enable a plugin",
        description: `Enables an installed plugin: it runs at once. ${aboutConsent}`,
        fixed: { enabled: true },
        omits: personOnly,
      },
      {
        name: "disable_plugin",
        title: "Disable a plugin",
        description: "Disables a plugin and those that need it. What it stored stays.",
        fixed: { enabled: false },
        omits: personOnly,
        isDestructive: true,
      },
    ],
  }),
  remove: operation("DELETE /api/plugins/:name", {
    ...forChanging,
    // Those that need it are stopped first, one after the other.
    mayTakeLong: true,
    schemas: (kit) => ({
      params: one(kit),
      query: kit.exact({
        retainData: queryFlag(kit, "`true` keeps its settings, secrets, values, files and grants"),
        force: queryFlag(kit, "`true` first disables the plugins that need it"),
      }),
    }),
    errors: [...changing, "VALIDATION_FAILED"],
    summary: "Delete a plugin",
    description:
      "Disabled before, if need be. One that is part of Atrium: 409 `PLUGIN_IS_CORE`; one that enabled plugins need: 409 " +
      "`PLUGIN_NEEDED`.",
    would: ({ input: { name, retainData }, descriptions }) => {
      const off = descriptions.slice(0, -1);
      const first = off.length === 0 ? "" : `disable ${off.join(", and ")}, and `;
      return `Would ${first}delete ${name} ${retainData === "true" ? "and keep its data" : "with all of its data permanently"}`;
    },
    example: { name: sampleName, retainData: "true", force: "true" },
    probe: aboutNone,
    commands: [
      {
        name: "remove",
        action: "Delete a plugin",
        summary: "delete a plugin",
        description:
          "Deletes a plugin with everything that it stored, or with --retain-data without that. Shows what goes, and asks first.",
        arguments: [nameArgument],
        options: [
          {
            ...{ name: "retain-data", field: "retainData", type: "boolean" },
            summary: "keep its settings, values, files and grants for a later installation",
          },
          { name: "force", type: "boolean", summary: "disable plugins that need it first" },
        ],
        asks: { reads: "get" },
        step: "deleting {name}",
        message: "{message}",
        examples: [
          { summary: "Ask first", typed: "atrium plugin remove visitor-notes" },
          {
            summary: "Keep what it stored",
            typed: "atrium plugin remove visitor-notes --retain-data --yes",
          },
        ],
      },
    ],
    tool: {
      name: "delete_plugin",
      title: "Delete a plugin",
      description: "Deletes a plugin with what it stored. This cannot be taken back.",
      confirms: "name",
      isDestructive: true,
    },
  }),
  activateVersion: operation("POST /api/plugins/:name/versions/:version/activate", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({
      params: oneVersion(kit),
      body: kit.exact({
        consent: consent(kit, "Grants all that the version asks for"),
        sha256: shownPackage(kit),
      }),
      answer: plugin(kit),
    }),
    errors: [...changing, ...bodyRefusals],
    summary: "Put a kept version of a plugin in force",
    description:
      "A waiting one with consent, one that could not start once more, or an older one. Another publisher's is refused " +
      "with 409 `PUBLISHER_CHANGED` and `data.from`, `data.to`: see `replace-publisher`. Only sessions and the control " +
      "socket may consent; a token that does gets 403 `SESSION_REQUIRED`.",
    would: ({ input, data: { title, version } }) =>
      `Would put version ${version} of ${title} in force${agreed(input.consent)}`,
    example: { name: sampleName, version: "1.0.0", consent: true },
    probe: { ...sampleVersion, body: { consent: 1 }, status: 422 },
    commands: [
      {
        name: "update",
        action: "Put a version that waits in force",
        summary: "put the version that waits in force",
        description:
          "Puts the version in force that was installed and waits, for consent or since it could not start. Shows what it wants " +
          "and asks; --yes grants it. The old one goes on until the new one has started.",
        arguments: [
          nameArgument,
          {
            ...{ name: "version", required: false },
            summary: "the version that waits, where another one must not be taken for it",
          },
        ],
        examples: [
          { summary: "See what it wants, and decide", typed: "atrium plugin update visitor-notes" },
          { summary: "In a script", typed: "atrium plugin update visitor-notes 1.2.0 --yes" },
        ],
      },
      {
        name: "rollback",
        action: "Go back to an older version",
        summary: "go to another kept version",
        description:
          "Puts another of the kept versions in force: an earlier one, or one that waits for consent or could not start. A " +
          "plugin that runs goes on with the old one until the other has started.",
        arguments: [
          nameArgument,
          {
            ...{ name: "version", required: false },
            summary: "which of the kept versions; the one before unless given",
          },
        ],
        examples: [
          { summary: "To the version before", typed: "atrium plugin rollback visitor-notes" },
          { summary: "To a certain one", typed: "atrium plugin rollback visitor-notes 1.2.0" },
        ],
      },
    ],
    tool: {
      name: "activate_plugin_version",
      title: "Put a version in force",
      description: `Puts a kept version of a plugin in force: one that waits for consent, or an older one. ${aboutConsent}`,
      omits: personOnly,
      isDestructive: true,
    },
  }),
  discardVersion: operation("DELETE /api/plugins/:name/versions/:version", {
    ...forChanging,
    schemas: (kit) => ({ params: oneVersion(kit), answer: plugin(kit) }),
    errors: changing,
    summary: "Delete a kept version of a plugin",
    description:
      "One that waits, could not start or was replaced, with its package; it can be uploaded again. The version in " +
      "force is refused with `CONFLICT`. Answers the plugin as it is then; stands in the activity log.",
    would: ({ input, data: { title } }) => `Would discard version ${input.version} of ${title}`,
    example: { name: sampleName, version: "1.0.0" },
    probe: sampleVersion,
    commands: [
      {
        name: "discard",
        action: "Discard a version that waits",
        summary: "delete a kept version",
        description:
          "Deletes a kept version of a plugin that is not in force, such as one that waits for consent. Asks first.",
        arguments: [nameArgument, versionArgument],
        asks: { question: "Discard version {version} of {name} for good?" },
        message: "Discarded version <version> of {title}",
        examples: [
          { summary: "Ask first", typed: "atrium plugin discard visitor-notes 1.3.0" },
          { summary: "In a script", typed: "atrium plugin discard visitor-notes 1.3.0 --yes" },
        ],
      },
    ],
  }),
  restore: operation("POST /api/plugins/:name/restore", {
    ...forChanging,
    status: 201,
    schemas: (kit) => ({ params: one(kit), answer: plugin(kit) }),
    errors: [...changing, "PLUGIN_INVALID"],
    summary: "Install a deleted plugin of Atrium again",
    description:
      "From the server's own files, without an upload; it is disabled then. `PLUGIN_NOT_FOUND` for a plugin that is " +
      "no part of Atrium, `CONFLICT` for one that is installed.",
    would: ({ data: { title, version } }) => `Would install ${title} ${version} again, disabled`,
    example: { name: sampleName },
    probe: aboutNone,
    commands: [
      {
        name: "reinstall",
        action: "Install a deleted plugin of Atrium again",
        summary: "install a deleted plugin of Atrium again",
        description:
          "Installs a plugin that is part of Atrium again after it was deleted, disabled; what was retained of it comes back.",
        arguments: [nameArgument],
        step: "installing {name}",
        message: "Installed {title} {version}",
        examples: [{ summary: "After it was deleted", typed: "atrium plugin reinstall firewall" }],
      },
    ],
  }),
  replacePublisher: operation("POST /api/plugins/:name/replace-publisher", {
    ...forPeople,
    tokens: false,
    takesPassword: true,
    mayTakeLong: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({
        version: kit.text({
          most: 100,
          description: "The kept version of the other publisher",
          error: "Please give a version",
        }),
        consent: kit.literal(true, {
          description: "Grants all that the version asks for",
          error: "Please give true to agree",
        }),
        sha256: shownPackage(kit),
        password: kit.optional(kit.presentPassword),
      }),
      answer: plugin(kit),
    }),
    errors: [...changing, ...bodyRefusals, "REAUTHENTICATION_REQUIRED", "RATE_LIMITED"],
    summary: "Replace a plugin's publisher",
    description:
      "Puts a kept version of another publisher in place and grants what it asks for, with `sha256` only if it is that " +
      "package still. It starts with nothing of the " +
      "old one's settings, secrets, data, files and grants, which are kept for the old publisher; what was kept for " +
      "the new one comes back. From a session older than ten minutes it is answered with " +
      "`REAUTHENTICATION_REQUIRED` unless `password` is given. API tokens can't call it. Stands in the activity log " +
      "as critical, and all admins get an email.",
    would: ({ data: { title, version } }) =>
      `Would replace the publisher of ${title} by that of version ${version}, and start it without the old one's data`,
    example: { name: sampleName, version: "2.0.0", consent: true, password: "a password of hers" },
    probe: { ...aboutNone, body: {}, status: 422 },
    commands: [
      {
        name: "replace-publisher",
        action: "Replace a plugin's publisher",
        summary: "put another publisher's version in place",
        description:
          "Puts a stored version of another publisher in the place of a plugin, after it has named both and asked. The new plugin " +
          "starts with nothing of the old one's settings, secrets, data, files and grants, which are kept for the old " +
          "publisher. All administrators get an email. Works on the server only: API tokens can't do this.",
        arguments: [
          nameArgument,
          {
            ...versionArgument,
            summary: "the version of the other publisher, as plugin info lists them",
          },
        ],
        examples: [
          {
            summary: "See from whom to whom, and decide",
            typed: "atrium plugin replace-publisher visitor-notes 2.0.0",
          },
          { summary: "In a script", typed: "atrium plugin replace-publisher visitor-notes 2.0.0 --yes" },
        ],
      },
    ],
  }),
  deleteRetained: operation("DELETE /api/plugins/:name/retained/:publisher", {
    ...forChanging,
    schemas: (kit) => ({ params: oneRetained(kit) }),
    errors: [...refusals, ...writing, "NOT_FOUND"],
    summary: "Delete what is kept of a former publisher's plugin",
    description:
      "Its settings, secrets, values, files and grants, which were kept when the publisher was replaced or the plugin " +
      "deleted; `retained` of the plugin lists them. The plugin itself need not be installed.",
    would: ({ input: { name, publisher } }) =>
      `Would permanently delete what is kept of ${name}, published by ${publisher}`,
    example: { name: sampleName, publisher: "unsigned" },
    probe: { params: { name: "none", publisher: "unsigned" }, status: 404 },
    commands: [
      {
        name: "delete-retained",
        action: "Delete a former publisher's data",
        summary: "delete the data of a former publisher",
        description:
          "Permanently deletes the settings, secrets, data, files and grants that are kept of a former publisher's plugin. The " +
          "plugin itself stays as it is. Asks first.",
        arguments: [
          nameArgument,
          {
            name: "publisher",
            summary: "bundled, unsigned, or the id of a key, as plugin info lists them",
          },
        ],
        asks: { question: "Permanently delete what is kept of {name}, published by {publisher}?" },
        message: "{message}",
        examples: [{ summary: "Ask first", typed: "atrium plugin delete-retained visitor-notes unsigned" }],
      },
    ],
  }),
};
