import { InvalidArgumentError } from "commander";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { withClient } from "#cli/invocation.ts";
import { counted, formatBytes, formatMinute } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, formatFacts, whole } from "#cli/terminal/table.ts";
import { readFilterDate } from "#contract/activity.ts";
import type {
  PermissionUse,
  Plugin,
  PluginData,
  PluginDetails,
  PluginReplica,
  PluginState,
  RetainedData,
  TrustedKey,
} from "#contract/plugins.ts";
import { listText, type View } from "../../operations/declared-command.ts";
import { given } from "../../operations/typed-values.ts";
import {
  disablePlugin,
  enablePlugin,
  permissionText,
  replacePublisher,
  rollBackPlugin,
  stateText,
  updatePlugin,
} from "./plugin-changes.ts";

/** How the commands about plugins show what is answered; where they call more than one operation, what they do. */
export const pluginViews = {
  "plugin list": {
    run: async (invocation) => {
      const { rows, isServer } = await withClient(invocation, async (client) => {
        const { plugins } = operationsOf(client);
        const listed = (await plugins.list()).data;
        const little = listed.find((plugin) => !("state" in plugin));
        if (little !== undefined) {
          // Visitors are told of plugins too, but little: a call that is not for them says why this one is taken for one.
          await plugins.get({ name: little.name });
          throw new CliFailure("NOT_SIGNED_IN", "the token is not valid, or its owner is not an admin");
        }
        return { rows: listed.filter((plugin) => "state" in plugin), isServer: client.isServer };
      });
      invocation.output.result(rows, (list, style) =>
        listText(list, { columns: columns(style, isServer), none, style }),
      );
    },
  } satisfies View<never>,
  "plugin info": {
    text: (plugin, style, { isServer }) =>
      formatFacts(pluginFacts(plugin, stateText(plugin, { isServer })), style),
  } satisfies View<PluginDetails>,
  "plugin enable": { run: enablePlugin } satisfies View<never>,
  "plugin disable": { run: disablePlugin } satisfies View<never>,
  "plugin remove": {
    question: ({ title, data }, { retainData }) =>
      printable(
        retainData
          ? `Delete ${title} and keep its data?`
          : `Delete ${title} with ${counted(data.keys, "key")}, ${counted(data.files, "file")} (${formatBytes(data.fileBytes)}) and its settings permanently?`,
      ),
  } satisfies View<never, PluginDetails, { retainData?: true }>,
  "plugin update": { run: updatePlugin } satisfies View<never>,
  "plugin rollback": { run: rollBackPlugin } satisfies View<never>,
  "plugin replace-publisher": { run: replacePublisher } satisfies View<never>,
  "plugin settings get": {
    run: async (invocation) => {
      const [name = "", field] = invocation.args;
      const { data } = await withClient(invocation, (client) =>
        operationsOf(client).plugins.settings({ name }),
      );
      const { values, secrets } = data;
      if (field === undefined) {
        invocation.output.result({ values, secrets }, (_, style) => formatFacts(settingFacts(data), style));
        return;
      }
      if (!Object.hasOwn(values, field)) throw unknownField(name, field, Object.keys(values));
      invocation.output.result(values[field], (value) => printable(valueText(value), "\n"));
    },
  } satisfies View<never>,
  "plugin settings set": {
    run: async (invocation, { stdin }) => {
      const [name = "", field = "", typed] = invocation.args;
      if ((typed === undefined) === (stdin === undefined))
        throw usage("give a value, or use --stdin to read it from standard input");
      const piped = stdin ? new TextDecoder().decode(await invocation.terminal.readInput()) : null;
      const saved = await withClient(invocation, async (client) => {
        const { plugins } = operationsOf(client);
        const isSecret = Object.hasOwn((await plugins.settings({ name })).data.secrets, field);
        if (isSecret && piped === null)
          throw usage(`${field} is a secret: use --stdin to read it from standard input`);
        const text = piped === null ? (typed ?? "") : piped.replace(/\r?\n$/, "");
        return plugins.setSettings({ name, values: { [field]: isSecret ? text : asJson(text) } });
      });
      invocation.output.result(saved.data, () => `Saved ${field} of ${name}`);
    },
  } satisfies View<never, never, { stdin?: true }>,
};

const none = "No plugins are installed. Install one with: atrium plugin install FILE";

const columns = (style: Style, isServer: boolean): Column<Plugin>[] => [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "VERSION", cell: versionText, least: whole },
  {
    heading: "STATE",
    cell: (plugin) => stateText(plugin, { isServer }),
    paint: paintState(style),
    least: whole,
  },
  { heading: "TYPE", cell: ({ type }) => type, isSpare: true },
  { heading: "SIGNATURE", cell: ({ signature }) => signature.publisher ?? signature.state },
  { heading: "NEEDS", cell: ({ dependsOn }) => dependsOn.join(", "), isSpare: true },
  { heading: "TITLE", cell: ({ title }) => title },
];

/** A state in its color: running, in need of attention, or other. */
const paintState =
  (style: Style) =>
  (text: string, { state }: { state: PluginState }): string => {
    if (state === "running") return style.green(text);
    return state === "failed" || state === "quarantined" ? style.red(text) : style.dim(text);
  };

const versionText = ({ version, pendingVersion }: Plugin): string =>
  pendingVersion === null ? version : `${version} (${pendingVersion} waiting)`;

type Shown = { values: Record<string, unknown>; secrets: Record<string, boolean> };

const settingFacts = ({ values, secrets }: Shown): (readonly [string, string])[] => [
  ...Object.entries(values)
    .filter(([key]) => !Object.hasOwn(secrets, key))
    .map(([key, value]) => [key, valueText(value)] as const),
  ...Object.entries(secrets).map(([key, has]) => [key, has ? "(stored)" : "(not set)"] as const),
];

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const unknownField = (name: string, field: string, known: string[]): CliFailure =>
  usage(`${name} has no setting "${field}"; its settings: ${known.join(", ") || "none"}`);

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Words need no quotes.
    return text;
  }
};

type Fact = readonly [name: string, value: string];

/** Everything about a plugin, as `plugin info` shows it. */
const pluginFacts = (plugin: PluginDetails, state: string): Fact[] => [
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
    [version, formatBytes(sizeBytes), formatMinute(uploadedAt), isCurrent ? "active" : ""]
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

/** Names with commas between them. */
const readNames = (text: string): string[] => text.split(",").map((name) => name.trim());

/** Reads the last moment at which a key counts: of a day in UTC its end, or `never`. Throws for what is no date. */
const readEnd = (text: string): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  if (readFilterDate(typed) === null)
    throw new InvalidArgumentError("It must be a date (2027-01-31), a time in ISO 8601, or never.");
  return typed.includes("T") ? typed : `${typed}T23:59:59.999Z`;
};

/** That moment as the API takes it: `null` for never. */
export const endOf = (until: string | undefined): string | null | undefined =>
  until === "never" ? null : until;

/** The key whose id begins so; `null` unless it is the only one. */
export const findKey = async (client: Client, typed: string): Promise<TrustedKey | null> => {
  const { keys } = (await operationsOf(client).pluginKeys.list()).data;
  const [found, another] = keys.filter(({ keyId }) => keyId.startsWith(typed.toLowerCase()));
  return another === undefined ? (found ?? null) : null;
};

type Tier = TrustedKey["tier"];
type Terms = { label?: string; tier?: Tier; names?: string[]; until?: string };

const termReaders = { names: readNames, until: readEnd };
const native = "Plugins signed with this key can run inside the server with all its permissions. Trust it?";

const termsOf = ({ label, tier, names, until }: Terms) =>
  given({ label, tier, names, notAfter: endOf(until) });

/** How the commands about publishers' keys show what is answered, and what they ask. */
export const pluginKeyViews = {
  "plugin keys list": {
    text: (keys, style) =>
      listText(keys, { columns: keyColumns(style), none: "No keys are trusted.", style }),
  } satisfies View<TrustedKey[]>,
  "plugin keys add": {
    read: termReaders,
    input: (_, options) => termsOf(options),
    question: (_, { tier }) => (tier === "native" ? native : null),
  } satisfies View<never, never, Terms>,
  "plugin keys set": {
    read: termReaders,
    input: (_, options) => {
      const terms = termsOf(options);
      if (Object.keys(terms).length === 0)
        throw usage("give at least one of --label, --tier, --names and --until");
      return terms;
    },
    // Of one that may do so already nothing is asked.
    question: (key, { tier }) => (tier === "native" && key.tier !== "native" ? native : null),
  } satisfies View<never, { tier?: Tier }, Terms>,
};

const keyColumns = (style: Style): Column<TrustedKey>[] => [
  { heading: "ID", cell: ({ keyId }) => keyId.slice(0, 16), least: whole },
  { heading: "LABEL", cell: ({ label }) => label },
  { heading: "TIER", cell: ({ tier }) => tier, least: whole },
  { heading: "NAMES", cell: ({ names }) => names.join(", "), isSpare: true },
  {
    heading: "STATE",
    cell: ({ revokedAt, source }) => (revokedAt === null ? `trusted (${source})` : "revoked"),
    paint: (text, { revokedAt }) => (revokedAt === null ? style.green(text) : style.red(text)),
  },
];
