import type { Kit } from "#api/modules/kit.ts";
import { operation } from "#contract/operation.ts";
import {
  forChanging,
  nameArgument,
  one,
  oneRetained,
  oneVersion,
  plugin,
  queryFlag,
  sampleName,
  versionArgument,
} from "./parts.ts";

const consent = (kit: Kit, description: string) =>
  kit.optional(kit.flag({ description, error: "Please give true or false" }));

const shownPackage = (kit: Kit) =>
  kit.optional(
    kit.text({
      pattern: "^[0-9a-f]{64}$",
      description:
        "The package that was reviewed, from `data.sha256` of the refusal or `versions` of the plugin. " +
        "If the package has changed since, the request is refused with `CONSENT_REQUIRED` and nothing " +
        "is granted",
      error: "Please give 64 hexadecimal digits",
    }),
  );

const aboutConsent =
  "Plugins that request permissions, or are unsigned, are refused with CONSENT_REQUIRED and the list " +
  "of what they request. Show that list to the user you work for: only they can consent, signed in to " +
  "the admin area.";
const personOnly = ["consent", "sha256"] as const;
const agreed = (given: boolean | undefined) => (given ? ", and grant everything it requests" : "");

const { scope: _, ...forPeople } = forChanging;

/** Operations that change installed plugins. */
export const changes = {
  toggle: operation("POST /api/plugins/:name/toggle", {
    ...forChanging,
    isRepeatable: true,
    schemas: (kit) => ({
      params: one(kit),
      body: kit.exact({
        enabled: kit.flag({ error: "Please give true or false" }),
        consent: consent(kit, "Grants everything that the plugin requests"),
        sha256: shownPackage(kit),
      }),
      answer: plugin(kit),
    }),
    names: { "200": "DoneWithPlugin" },
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY"],
    summary: "Enable or disable a plugin",
    description:
      "If the plugin requests permissions that are not granted, or is unsigned, enabling it needs " +
      "consent (409 `CONSENT_REQUIRED` with `data.permissions`, `data.signature`, `data.version` and " +
      "`data.sha256`). `consent: true` grants them; with `sha256`, only if the package is still the " +
      "same. Only sessions and the control socket can consent; a token that tries gets 403 " +
      "`SESSION_REQUIRED`. The plugins that it needs must be enabled first (409 " +
      "`DEPENDENCY_DISABLED`); those that need it are disabled with it.",
    would: ({ input: { enabled, consent: given }, data: { title, version }, descriptions }) =>
      enabled
        ? `Would enable ${title} ${version}${agreed(given)}`
        : `Would disable ${descriptions.join(", and ")}`,
    example: { name: sampleName, enabled: true, consent: true },
    commands: [
      {
        name: "enable",
        summary: "enable a plugin",
        description:
          "Enables a plugin and waits until it runs. If it requests permissions, or is unsigned, shows " +
          "what it requests and asks first; --yes grants it.",
        arguments: [nameArgument],
        fixed: { enabled: true },
        examples: [
          { summary: "See what it requests, then decide", typed: "atrium plugin enable visitor-notes" },
          { summary: "In a script", typed: "atrium plugin enable visitor-notes --yes" },
        ],
      },
      {
        name: "disable",
        summary: "disable a plugin",
        description:
          "Disables a plugin. If other plugins need it, lists them, asks, and disables them first; " +
          "they stay disabled when it is enabled again. Its data is kept.",
        arguments: [nameArgument],
        fixed: { enabled: false },
        examples: [
          { summary: "A plugin that no other one needs", typed: "atrium plugin disable visitor-notes" },
          {
            summary: "With all plugins that need it, in a script",
            typed: "atrium plugin disable licensing --yes",
          },
        ],
      },
    ],
    tool: [
      {
        name: "enable_plugin",
        title: "Enable a plugin",
        description: `Enables an installed plugin, which then runs immediately. ${aboutConsent}`,
        fixed: { enabled: true },
        omits: personOnly,
      },
      {
        name: "disable_plugin",
        title: "Disable a plugin",
        description: "Disables a plugin and those that need it. Its data is kept.",
        fixed: { enabled: false },
        omits: personOnly,
        isDestructive: true,
      },
    ],
  }),
  remove: operation("DELETE /api/plugins/:name", {
    ...forChanging,
    proof: "factor",
    // Plugins that need it are stopped first, one after the other.
    mayTakeLong: true,
    schemas: (kit) => ({
      params: one(kit),
      query: kit.exact({
        retainData: queryFlag(kit, "`true` keeps its settings, secrets, values, files and grants"),
        force: queryFlag(kit, "`true` first disables the plugins that need it"),
      }),
    }),
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY"],
    summary: "Delete a plugin",
    description:
      "An enabled plugin is disabled first. A core plugin can't be deleted (409 " +
      "`PLUGIN_IS_CORE`), nor can one that enabled plugins need (409 `PLUGIN_NEEDED`).",
    would: ({ input: { name, retainData }, descriptions }) => {
      const off = descriptions.slice(0, -1);
      const first = off.length === 0 ? "" : `disable ${off.join(", and ")}, and `;
      return `Would ${first}delete ${name} ${retainData === "true" ? "and keep its data" : "with all of its data permanently"}`;
    },
    example: { name: sampleName, retainData: "true", force: "true" },
    commands: [
      {
        name: "remove",
        summary: "delete a plugin",
        description:
          "Deletes a plugin and everything that it stored, unless --retain-data is given. Shows what " +
          "would be deleted, and asks first.",
        arguments: [nameArgument],
        options: [
          {
            ...{ name: "retain-data", field: "retainData", type: "boolean" },
            summary: "keep its settings, values, files and grants in case it is installed again",
          },
          { name: "force", type: "boolean", summary: "first disable the plugins that need it" },
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
      description: "Deletes a plugin and everything that it stored. This can't be undone.",
      confirms: "name",
      isDestructive: true,
    },
  }),
  activateVersion: operation("POST /api/plugins/:name/versions/:version/activate", {
    ...forChanging,
    proof: "factor",
    isRepeatable: true,
    schemas: (kit) => ({
      params: oneVersion(kit),
      body: kit.exact({
        consent: consent(kit, "Grants everything that the version requests"),
        sha256: shownPackage(kit),
      }),
      answer: plugin(kit),
    }),
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY"],
    summary: "Activate a kept version of a plugin",
    description:
      "Activates a pending version with consent, tries one again that could not start, or goes back to " +
      "an older one. Another publisher's version is refused with 409 `PUBLISHER_CHANGED` and " +
      "`data.from`, `data.to`: see `replace-publisher`. Only sessions and the control socket can " +
      "consent; a token that tries gets 403 `SESSION_REQUIRED`.",
    would: ({ input, data: { title, version } }) =>
      `Would activate version ${version} of ${title}${agreed(input.consent)}`,
    example: { name: sampleName, version: "1.0.0", consent: true },
    probe: { params: { name: "none", version: "1.0.0" }, body: { consent: 1 }, status: 422 },
    commands: [
      {
        name: "update",
        action: "Activate a pending version",
        summary: "activate the pending version",
        description:
          "Activates the installed version that is waiting for consent or could not start. Shows what " +
          "it requests and asks first; --yes grants it. The old version keeps running until the new " +
          "one has started.",
        arguments: [
          nameArgument,
          {
            ...{ name: "version", required: false },
            summary: "the expected pending version; fails if it is a different one",
          },
        ],
        examples: [
          { summary: "See what it requests, then decide", typed: "atrium plugin update visitor-notes" },
          { summary: "In a script", typed: "atrium plugin update visitor-notes 1.2.0 --yes" },
        ],
      },
      {
        name: "rollback",
        action: "Roll back to an older version",
        summary: "switch to another kept version",
        description:
          "Activates another kept version: an earlier one, or one that is waiting for consent or could " +
          "not start. If the plugin is running, its current version keeps running until the other one " +
          "has started.",
        arguments: [
          nameArgument,
          {
            ...{ name: "version", required: false },
            summary: "one of the kept versions (default: the previous one)",
          },
        ],
        examples: [
          { summary: "To the previous version", typed: "atrium plugin rollback visitor-notes" },
          { summary: "To a specific version", typed: "atrium plugin rollback visitor-notes 1.2.0" },
        ],
      },
    ],
    tool: {
      name: "activate_plugin_version",
      title: "Activate a version",
      description: `Activates a kept version of a plugin: one that is waiting for consent, or an older one. ${aboutConsent}`,
      omits: personOnly,
      isDestructive: true,
    },
  }),
  discardVersion: operation("DELETE /api/plugins/:name/versions/:version", {
    ...forChanging,
    schemas: (kit) => ({ params: oneVersion(kit), answer: plugin(kit) }),
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY"],
    summary: "Delete a kept version of a plugin",
    description:
      "Deletes a version that is pending, could not start or was replaced, with its package; it can be " +
      "uploaded again. The active version is refused with `CONFLICT`. Returns the updated plugin. " +
      "Recorded in the activity log.",
    would: ({ input, data: { title } }) => `Would discard version ${input.version} of ${title}`,
    example: { name: sampleName, version: "1.0.0" },
    commands: [
      {
        name: "discard",
        action: "Discard a pending version",
        summary: "delete a kept version",
        description:
          "Deletes a kept version of a plugin that is not active, such as one that is waiting for " +
          "consent. Asks first.",
        arguments: [nameArgument, versionArgument],
        asks: { question: "Permanently delete version {version} of {name}?" },
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
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY", "PLUGIN_INVALID", "PLUGIN_UNAVAILABLE"],
    summary: "Reinstall a shipped plugin",
    description:
      "Installs a deleted plugin again from the server's own files, without an upload. It is disabled " +
      "after that. `PLUGIN_NOT_FOUND` for a plugin that is not shipped with the server, `CONFLICT` for one that " +
      "is installed.",
    would: ({ data: { title, version } }) => `Would install ${title} ${version} again, disabled`,
    example: { name: sampleName },
    commands: [
      {
        name: "reinstall",
        summary: "reinstall a shipped plugin",
        description:
          "Installs a deleted plugin again that is shipped with the server, with the data that was kept. It " +
          "is disabled after that.",
        arguments: [nameArgument],
        step: "installing {name}",
        message: "Installed {title} {version}",
        examples: [{ summary: "After deleting it", typed: "atrium plugin reinstall firewall" }],
      },
    ],
  }),
  replacePublisher: operation("POST /api/plugins/:name/replace-publisher", {
    ...forPeople,
    proof: "factor",
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
          description: "Grants everything that the version requests",
          error: "Please give true to agree",
        }),
        sha256: shownPackage(kit),
        password: kit.optional(kit.presentPassword),
      }),
      answer: plugin(kit),
    }),
    errors: ["PLUGIN_NOT_FOUND", "CONFLICT", "BUSY", "RATE_LIMITED"],
    summary: "Replace a plugin's publisher",
    description:
      "Activates a kept version of another publisher and grants what it requests; with `sha256`, only " +
      "if the package is still the same. It starts without the old plugin's settings, secrets, data, " +
      "files and grants, which are kept for the old publisher; what was kept for the new publisher is " +
      "restored. A session older than ten minutes gets `REAUTHENTICATION_REQUIRED` unless `password` " +
      "is given. API tokens can't do this. Recorded in the activity log as critical, and all admins " +
      "get an email.",
    would: ({ data: { title, version } }) =>
      `Would replace the publisher of ${title} with that of version ${version}, and start it without the old publisher's data`,
    example: { name: sampleName, version: "2.0.0", consent: true, password: "a password of hers" },
    commands: [
      {
        name: "replace-publisher",
        action: "Replace a plugin's publisher",
        summary: "switch to another publisher's version",
        description:
          "Replaces a plugin with a kept version of another publisher. Names both publishers, and asks " +
          "first. The new plugin starts without the old one's settings, secrets, data, files and " +
          "grants, which are kept for the old publisher. All admins get an email. Works only on the " +
          "server: API tokens can't do this.",
        arguments: [
          nameArgument,
          {
            ...versionArgument,
            summary: "the version of the other publisher, as plugin info lists them",
          },
        ],
        examples: [
          {
            summary: "See both publishers, then decide",
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
    errors: ["CONFLICT", "BUSY", "NOT_FOUND"],
    summary: "Delete the data kept for a former publisher",
    description:
      "The settings, secrets, values, files and grants that were kept when the publisher was replaced " +
      "or the plugin was deleted; they are listed in the plugin's `retained`. The plugin doesn't have " +
      "to be installed.",
    would: ({ input: { name, publisher } }) =>
      `Would permanently delete the data of ${name} that is kept for ${publisher}`,
    example: { name: sampleName, publisher: "unsigned" },
    probe: { params: { name: "none", publisher: "unsigned" }, status: 404 },
    commands: [
      {
        name: "delete-retained",
        action: "Delete a former publisher's data",
        summary: "delete the data of a former publisher",
        description:
          "Permanently deletes the settings, secrets, data, files and grants that are kept for a " +
          "former publisher of a plugin. The plugin itself is not changed. Asks first.",
        arguments: [
          nameArgument,
          {
            name: "publisher",
            summary: "bundled, unsigned, or the id of a key, as plugin info lists them",
          },
        ],
        asks: { question: "Permanently delete the data of {name} that is kept for {publisher}?" },
        message: "{message}",
        examples: [{ summary: "Ask first", typed: "atrium plugin delete-retained visitor-notes unsigned" }],
      },
    ],
  }),
};
