import { formatBytes, formatMinute } from "#cli/format.ts";
import { permissionText } from "#cli/permission-text.ts";
import type {
  PermissionUse,
  PluginData,
  PluginDetails,
  PluginReplica,
  RetainedData,
} from "#contract/plugins.ts";

type Fact = readonly [name: string, value: string];

/** Everything about a plugin, as `plugin info` shows it. */
export const pluginFacts = (plugin: PluginDetails, state: string): Fact[] => [
  ["name", plugin.name],
  ["title", plugin.title],
  ["version", plugin.version],
  ...optional("waiting version", plugin.pendingVersion),
  ["state", state],
  ...optional("error", plugin.error),
  ["type", plugin.type],
  ["signature", signatureText(plugin)],
  ["runs as", plugin.runtime ?? "no backend"],
  ["frontend", plugin.frontendMode ?? "none"],
  ...several("needs", Object.entries(plugin.dependencies), ([name, range]) => `${name} ${range}`),
  ...several("needed by", plugin.dependents, (name) => name),
  ...several("granted", plugin.granted, grantText),
  ...several("refused", plugin.refused, ({ name, refused }) => `${name}: ${refused}, not granted`),
  ...several("not granted yet", plugin.pendingPermissions, permissionText),
  ...several("route", plugin.routes, ({ method, path, access }) => `${method} ${path} (${access})`),
  ...several("job", plugin.jobs, ({ name, everyMs, lastError }) =>
    [`${name} every ${everyMs / 1000} s`, lastError].filter(Boolean).join(": "),
  ),
  ...several("kept", plugin.versions, ({ version, sizeBytes, isCurrent, uploadedAt }) =>
    [version, formatBytes(sizeBytes), formatMinute(uploadedAt), isCurrent ? "in force" : ""]
      .filter(Boolean)
      .join(", "),
  ),
  ...several("server", plugin.replicas, replicaText),
  ["stored", dataText(plugin.data)],
  ["quota", `${formatBytes(plugin.data.usedBytes)} of ${formatBytes(plugin.data.quotaBytes)} used`],
  ...several("retained", plugin.retained, retainedText),
  ["installed", [formatMinute(plugin.installedAt), plugin.installedBy].filter(Boolean).join(" by ")],
];

const optional = (name: string, value: string | null): Fact[] => (value === null ? [] : [[name, value]]);

const several = <T>(name: string, items: readonly T[], text: (item: T) => string): Fact[] =>
  items.map((item) => [name, text(item)]);

const signatureText = ({ signature: { state, publisher, keyId } }: PluginDetails): string =>
  [state, publisher, keyId?.slice(0, 16)].filter(Boolean).join(", ");

const dataText = ({ keys, files, fileBytes, secrets }: PluginData): string =>
  `${keys} keys, ${files} files (${formatBytes(fileBytes)}), ${secrets} secrets`;

const retainedText = ({ publisher, version, retainedAt, data }: RetainedData): string =>
  `of ${publisher}, ${version}, since ${formatMinute(retainedAt)}: ${dataText(data)}`;

const grantText = (use: PermissionUse): string =>
  `${permissionText(use)}: used ${use.used}, refused ${use.refused}`;

const replicaText = ({ replica, state, isolation, memoryBytes }: PluginReplica): string =>
  [replica, state, isolation, memoryBytes === null ? null : formatBytes(memoryBytes)]
    .filter(Boolean)
    .join(", ");
