import type { Kit } from "#api/modules/kit.ts";
import {
  permissionNames,
  pluginStates,
  pluginTiers,
  pluginTypes,
  signatureStates,
} from "#contract/plugin-names.ts";

const known = { access: "admin", scope: "plugins", tag: "Plugins" } as const;
export const forReading = { ...known, proof: "none", responds: "data" } as const;
export const forChanging = { ...known, proof: "recent", changes: true, responds: "message" } as const;

export const sampleName = "visitor-notes";

export const nameArgument = { name: "name", summary: "name of the plugin" } as const;
export const versionArgument = {
  name: "version",
  summary: "the version, as plugin info lists them",
} as const;

const name = (kit: Kit) => kit.id("Name of the plugin");

/** The plugin of a request. An invalid name is not found. */
export const one = (kit: Kit) => kit.object({ name: name(kit) });
export const oneVersion = (kit: Kit) =>
  kit.object({ name: name(kit), version: kit.id("One of the plugin's kept versions") });
export const oneRetained = (kit: Kit) =>
  kit.object({ name: name(kit), publisher: kit.id("`bundled`, the id of a key, or `unsigned`") });

/** `true` or `false` in a query. */
export const queryFlag = (kit: Kit, description: string) =>
  kit.optional(kit.choice(["true", "false"], { description, error: "Please give true or false" }));

/** A text that can be null. */
export const someText = (kit: Kit) => kit.nullable(kit.text());

export const permission = (kit: Kit) =>
  kit.object({
    name: kit.oneOf(permissionNames),
    hosts: kit.optional(kit.list(kit.text())),
    plugins: kit.optional(kit.list(kit.text())),
    reason: kit.optional(kit.text()),
  });

export const signature = (kit: Kit) =>
  kit.object({
    state: kit.oneOf(signatureStates),
    keyId: kit.nullable(kit.text({ description: "Id of the key whose signature was verified" })),
    claimedKeyId: kit.optional(
      kit.text({
        description: "Id of the key that a signature claims if it could not be verified",
      }),
    ),
    publisher: someText(kit),
    signedAt: someText(kit),
  });

export const publisher = (kit: Kit, description: string) =>
  kit.text({ description: `${description}: \`bundled\`, the id of a key, or \`unsigned\`` });

export const publisherChanged = (kit: Kit) =>
  kit.nullable(
    kit.object({
      from: publisher(kit, "Publisher of the installed plugin"),
      to: publisher(kit, "Publisher of this package"),
      fromName: kit.text({ description: "Its name" }),
      toName: kit.text(),
    }),
  );

export const panel = (kit: Kit) =>
  kit.object({
    enabled: kit.flag(),
    menuItem: kit.optional(
      kit.object({ title: kit.text(), description: kit.text(), icon: kit.text(), path: kit.text() }),
    ),
    card: kit.optional(
      kit.object({
        ...{ title: kit.text(), description: kit.text(), icon: kit.text(), color: kit.text() },
        ...{ buttonText: kit.text(), path: kit.text() },
      }),
    ),
  });

/** The public fields of an enabled plugin. */
export const publicPlugin = (kit: Kit) =>
  kit.object({
    name: kit.text(),
    description: kit.text(),
    type: kit.oneOf(pluginTypes),
    enabled: kit.flag(),
    frontendExists: kit.flag(),
  });

/** A plugin's row in a list, as admins see it. */
export const plugin = (kit: Kit) =>
  kit.object({
    ...publicPlugin(kit).properties,
    version: kit.text(),
    title: kit.text(),
    core: kit.flag({ description: "Part of the server: can't be deleted" }),
    dependsOn: kit.list(kit.text()),
    backendExists: kit.flag(),
    tier: kit.oneOf(pluginTiers),
    signature: signature(kit),
    state: kit.oneOf(pluginStates, { description: "On the server that responds" }),
    error: someText(kit),
    pendingVersion: kit.nullable(
      kit.text({ description: "A version that is waiting for consent or could not start" }),
    ),
    adminPanel: kit.nullable(panel(kit)),
    frontend: kit.nullable(
      kit.object({
        mode: kit.oneOf(["iframe", "native"], {
          description: "`native` runs in the host's own window",
        }),
        script: kit.text(),
        css: someText(kit),
        overlay: kit.flag(),
      }),
    ),
    commandWord: kit.nullable(kit.text({ description: "First word of its terminal commands" })),
  });

/**
 * How much a plugin has stored: what would be deleted with it. `usedBytes` of entries and files count against its
 * quota.
 */
export const pluginData = (kit: Kit) =>
  kit.object({
    keys: kit.integer(),
    files: kit.integer(),
    fileBytes: kit.integer(),
    secrets: kit.integer(),
    settings: kit.integer(),
    usedBytes: kit.integer(),
    quotaBytes: kit.integer(),
  });

/** What is in a package, told before anything of it is stored. */
export const packagePreview = (kit: Kit) =>
  kit.object({
    name: kit.text(),
    title: kit.text(),
    version: kit.text(),
    description: kit.text(),
    type: kit.oneOf(pluginTypes),
    author: someText(kit),
    sizeBytes: kit.integer(),
    files: kit.integer(),
    signature: signature(kit),
    tier: kit.oneOf(pluginTiers),
    permissions: kit.list(permission(kit)),
    newPermissions: kit.list(permission(kit), {
      description:
        "Those that the installed plugin was not granted; for another publisher's package, all of them",
    }),
    dependencies: kit.list(
      kit.object({
        name: kit.text(),
        range: kit.text(),
        state: kit.oneOf(["enabled", "disabled", "missing", "outdated"]),
      }),
    ),
    publisherChanged: publisherChanged(kit),
    installedVersion: someText(kit),
    obstacles: kit.list(kit.text(), { description: "Why it can't be installed" }),
    needsDowngrade: kit.flag({
      description: "Not newer than the version that is or was installed: accepted only with `allowDowngrade`",
    }),
    hasRetainedData: kit.flag(),
  });
