import type { Kit } from "#api/modules/kit.ts";
import { operation } from "#contract/operation.ts";
import { commandFormats, commandMethods, commandOptionTypes } from "#contract/plugin-commands-schema.ts";
import { permissionNames, pluginStates } from "#contract/plugin-names.ts";
import {
  forReading,
  nameArgument,
  one,
  permission,
  plugin,
  pluginData,
  publicPlugin,
  publisher,
  publisherChanged,
  sampleName,
  signature,
  someText,
} from "./parts.ts";

/** A kept version. */
export const version = (kit: Kit) =>
  kit.object({
    version: kit.text(),
    sizeBytes: kit.integer(),
    sha256: kit.text(),
    signature: signature(kit),
    publisherChanged: publisherChanged(kit),
    permissions: kit.list(permission(kit), { description: "The permissions that it requests" }),
    uploadedAt: kit.instant,
    uploadedBy: someText(kit),
    isCurrent: kit.flag(),
  });

/** The plugin's state on one of the running servers. */
export const replica = (kit: Kit) =>
  kit.object({
    replica: kit.text(),
    state: kit.oneOf(pluginStates),
    version: kit.text(),
    error: someText(kit),
    isolation: kit.nullable(kit.oneOf(["native", "process", "process+seccomp"])),
    memoryBytes: kit.nullable(kit.integer()),
    startedAt: kit.nullable(kit.instant),
    seenAt: kit.instant,
  });

/** A granted permission, and how often it was used and a use refused since. */
export const granted = (kit: Kit) =>
  kit.object({
    ...permission(kit).properties,
    used: kit.integer(),
    refused: kit.integer(),
    lastUsedAt: kit.nullable(kit.instant),
  });

/** What is kept of another publisher's plugin of the same name, until that publisher's plugin is back. */
export const retained = (kit: Kit) =>
  kit.object({
    publisher: publisher(kit, "The former publisher that the data is kept for"),
    publisherName: kit.text({ description: "Its name" }),
    version: kit.text({ description: "The version that was active" }),
    retainedAt: kit.instant,
    data: pluginData(kit),
  });

/** A plugin with everything that its page shows. */
export const details = (kit: Kit) =>
  kit.object({
    ...plugin(kit).properties,
    author: someText(kit),
    homepage: someText(kit),
    license: someText(kit),
    runtime: kit.nullable(kit.oneOf(["sandbox", "native"])),
    frontendMode: kit.nullable(kit.oneOf(["iframe", "native"])),
    requested: kit.list(permission(kit)),
    granted: kit.list(granted(kit)),
    refused: kit.list(kit.object({ name: kit.oneOf(permissionNames), refused: kit.integer() }), {
      description: "Permissions that it tried to use without a grant, and how often",
    }),
    pendingPermissions: kit.list(permission(kit), {
      description:
        "What a pending version requests beyond the current grants; for another publisher, beyond the " +
        "grants kept for that publisher",
    }),
    publisherChanged: publisherChanged(kit),
    limits: kit.object({ memoryMB: kit.number(), cpuMs: kit.number(), wallMs: kit.number() }),
    dependencies: kit.record(kit.text()),
    dependents: kit.list(kit.text()),
    versions: kit.list(version(kit)),
    replicas: kit.list(replica(kit)),
    routes: kit.list(
      kit.object({ method: kit.text(), path: kit.text(), access: kit.text(), summary: someText(kit) }),
    ),
    jobs: kit.list(
      kit.object({
        name: kit.text(),
        everyMs: kit.number(),
        lastRunAt: kit.nullable(kit.instant),
        lastError: someText(kit),
      }),
    ),
    hasSettings: kit.flag(),
    commands: kit.nullable(pluginCommands(kit)),
    data: pluginData(kit),
    retained: kit.list(retained(kit)),
    installedAt: kit.instant,
    installedBy: someText(kit),
    updatedAt: kit.instant,
  });

/** Operations that read plugins. */
export const about = {
  list: operation("GET /api/plugins", {
    ...forReading,
    access: "public",
    // The fuller form first: a check takes the first that fits.
    schemas: (kit) => ({ answer: kit.list(kit.either([plugin(kit), publicPlugin(kit)])) }),
    names: {
      "200.data[]|0": "Plugin",
      "200.data[]|0.type": "PluginType",
      "200.data[]|0.tier": "PluginTier",
      "200.data[]|0.signature": "PluginSignature",
      "200.data[]|0.state": "PluginState",
      "200.data[]|0.adminPanel|0": "PluginPanel",
      "200.data[]|0.frontend|0": "PluginFrontend",
    },
    summary: "List plugins",
    description:
      "Admins get all plugins with all fields; others get the enabled ones with their public fields.",
    commands: [
      {
        name: "list",
        action: "List plugins",
        summary: "list the installed plugins",
        description:
          "Lists the installed plugins by name: as a table in a terminal, otherwise as one plugin per " +
          "line, without headings, with tabs between name, version, state, type, signature, the " +
          "plugins that it needs, and title.",
        examples: [
          { summary: "All plugins", typed: "atrium plugin list" },
          {
            summary: "Plugins with a problem",
            typed: "atrium plugin list | awk -F '\\t' '$3 ~ /failed|quarantined/'",
          },
          { summary: "As the API returns it", typed: "atrium plugin list --json" },
        ],
      },
    ],
    tool: {
      name: "list_plugins",
      title: "List plugins",
      description: "All installed plugins with version, state, signature and whether they are enabled.",
      scope: "plugins:read",
    },
  }),
  get: operation("GET /api/plugins/:name", {
    ...forReading,
    schemas: (kit) => ({ params: one(kit), answer: details(kit) }),
    names: {
      "200.data.requested[]": "PluginRequest",
      "200.data.requested[].name": "PluginPermission",
      "200.data.publisherChanged|0": "PublisherChange",
      "200.data.commands|0.list[].output|1.table.columns[]": "CommandValue",
      "200.data.data": "PluginData",
    },
    errors: ["PLUGIN_NOT_FOUND"],
    summary: "Get a plugin",
    description:
      "The fields of the list, and the permissions that it requests, was granted and has used, its " +
      "kept versions and what a pending one requests, its state on each server, commands, limits, " +
      "dependencies, and how much it has stored. `routes` and `jobs` are those on the server that " +
      "responds.",
    example: { name: sampleName },
    commands: [
      {
        name: "info",
        action: "Show a plugin",
        summary: "show one plugin",
        description:
          "Shows a plugin: its state on each server, signature, permissions and how often they were " +
          "used, kept versions, routes, schedule, and what it has stored.",
        arguments: [nameArgument],
        examples: [
          { summary: "One plugin", typed: "atrium plugin info visitor-notes" },
          {
            summary: "Its granted permissions",
            typed: "atrium plugin info visitor-notes --json | jq .granted",
          },
        ],
      },
    ],
    tool: {
      name: "get_plugin",
      title: "Get a plugin",
      description: "Everything about one plugin: permissions, kept versions, health, what needs it.",
    },
  }),
};

const shownValue = (kit: Kit) =>
  kit.object({ title: kit.text(), field: kit.text(), format: kit.oneOf(commandFormats) });

const command = (kit: Kit) =>
  kit.object({
    name: kit.text(),
    summary: kit.text(),
    description: kit.text(),
    arguments: kit.list(kit.object({ name: kit.text(), summary: kit.text(), required: kit.flag() })),
    options: kit.list(
      kit.object({
        name: kit.text(),
        summary: kit.text(),
        type: kit.oneOf(commandOptionTypes),
        values: kit.list(kit.text()),
        in: kit.oneOf(["query", "body"]),
        field: kit.text(),
      }),
    ),
    call: kit.object({
      method: kit.oneOf(commandMethods),
      path: kit.text({ description: "Below `/api/{plugin}`" }),
      body: kit.record(kit.either([kit.text(), kit.number(), kit.flag(), kit.nothing])),
    }),
    input: kit.nullable(kit.object({ field: kit.text(), summary: kit.text(), file: kit.flag() })),
    confirm: someText(kit),
    output: kit.either([
      kit.object({ message: kit.text() }),
      kit.object({
        table: kit.object({
          rows: someText(kit),
          columns: kit.list(shownValue(kit)),
          empty: someText(kit),
        }),
      }),
      kit.object({ fields: kit.list(shownValue(kit)) }),
    ]),
    examples: kit.list(kit.object({ summary: kit.text(), typed: kit.text() })),
  });

/** A plugin's terminal commands. */
const pluginCommands = (kit: Kit) =>
  kit.object(
    { word: kit.text(), summary: kit.text(), list: kit.list(command(kit)) },
    { description: "The commands that it adds to the command line" },
  );
