import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { formatBytes, formatMinute } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { permissionText } from "#cli/permission-text.ts";
import { stateText } from "#cli/plugin-state.ts";
import { formatFacts } from "#cli/table.ts";
import type {
  PermissionUse,
  PluginData,
  PluginDetails,
  PluginReplica,
  RetainedData,
} from "#contract/plugins.ts";

/** `plugin info`: everything about one plugin. */
export const addPluginInfoCommand = (group: Command, cli: Cli): void => {
  group
    .command("info")
    .argument("<name>", "name of the plugin")
    .summary("show one plugin")
    .description(
      "Shows a plugin: state on each server, signature, permissions with how often they were used, versions that are " +
        "kept, routes, schedule, and what it has stored.",
    )
    .addHelpText(
      "after",
      examples(
        ["One plugin", "atrium plugin info visitor-notes"],
        ["What it was granted", "atrium plugin info visitor-notes --json | jq .granted"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = ""] = invocation.args;
        const { plugin, state } = await withClient(invocation, async (client) => {
          const plugin = await client.call("GET /api/plugins/:name", { params: { name } });
          return { plugin, state: stateText(plugin, client) };
        });
        invocation.output.result(plugin, (found, style) => formatFacts(factsOf(found, state), style));
      }),
    );
};

type Fact = readonly [name: string, value: string];

const factsOf = (plugin: PluginDetails, state: string): Fact[] => [
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
