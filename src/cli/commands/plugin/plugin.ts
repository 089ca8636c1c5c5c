import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { type Cli, examples, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { addGroup, addOperations } from "#cli/operations/add-operations.ts";
import { errorTexts } from "#contract/errors.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { type Plugin, pluginLimits } from "#contract/plugins.ts";
import type { ApiQuery } from "../../client/api-calls.ts";
import { type Client, operationsOf } from "../../client/client.ts";
import { CliFailure, usage } from "../../failure.ts";
import { Planned, planOption } from "../../planned.ts";
import { formatBytes } from "../../terminal/format.ts";
import { printable } from "../../terminal/output.ts";
import { createProgress, duringStep } from "../../terminal/progress.ts";
import {
  addPluginCreateCommand,
  addPluginKeygenCommand,
  addPluginPackCommand,
  addPluginSignCommand,
  addPluginVerifyCommand,
} from "./plugin-author.ts";
import { askForConsent, expectedStatus, type SentConsent } from "./plugin-changes.ts";
import { addPluginDevCommand } from "./plugin-dev.ts";
import { addPluginLogsCommand } from "./plugin-logs.ts";

/** `plugin`: what is installed, and the author's tools. */
export const addPluginCommands = (program: Command, cli: Cli): void => {
  const group = addGroup(program, "plugins");
  addOperations(group, cli, "plugins", { info: addPluginInstallCommand, download: addPluginLogsCommand });
  addPluginCreateCommand(group, cli);
  addPluginDevCommand(group, cli);
  addPluginPackCommand(group, cli);
  addPluginSignCommand(group, cli);
  addPluginVerifyCommand(group, cli);
  addPluginKeygenCommand(group, cli);
};

type InstallOptions = { enable?: true; allowDowngrade?: true };

/** `plugin install`: puts a package or a folder into the installation. */
const addPluginInstallCommand = (group: Command, cli: Cli): void => {
  group
    .command("install")
    .argument("<file>", "a package (.zip), or a plugin's folder, which is packed first")
    .option("--enable", "enable it; asks for its permissions, unless --yes is given")
    .option("--allow-downgrade", "accept an older version than the installed one")
    .summary("install or update a plugin")
    .description(
      "Installs a plugin, disabled, or updates an installed one. A running plugin keeps its old " +
        "version until the new one has started. No code of a package runs before it is enabled.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["A package", "atrium plugin install ./visitor-notes-1.2.0.zip"],
        ["A plugin you are developing, enabled", "atrium plugin install ./visitor-notes --enable --yes"],
      ),
    )
    .action(
      handler<InstallOptions>(cli, async (invocation, { enable, allowDowngrade }) => {
        const [path = ""] = invocation.args;
        const bytes = await readPackage(invocation, path);
        const file = { field: "plugin", name: `${basename(path).replace(/\.zip$/i, "")}.zip`, bytes };
        const query = allowDowngrade ? ({ allowDowngrade: "true" } as const) : {};
        const { plugin, status } = await withClient(invocation, async (client) => {
          if (invocation.isPlan) throw await planOf(client, { file, query, isEnabled: enable === true });
          const agreed = enable ? await agreementTo(invocation, client, file) : {};
          const installed = await duringStep(
            createProgress(invocation.terminal),
            `sending ${formatBytes(bytes.byteLength)}`,
            () => client.upload("POST /api/plugins/upload", { file, query }),
          );
          const plugin = enable ? await switchedOn(invocation, { client, installed, agreed }) : installed;
          await tellOfWaiting(invocation, client, plugin);
          return { plugin, status: await expectedStatus(plugin, client) };
        });
        invocation.output.result(plugin, ({ title, version, pendingVersion }) =>
          printable(
            pendingVersion === null
              ? `Installed ${title} ${version}: ${status}`
              : `Stored ${title} ${pendingVersion}; ${version} stays active: ${status}`,
          ),
        );
      }),
    );
};

type Wish = Pick<Parameters<Client["upload"]>[1], "file"> & {
  query: ApiQuery<"POST /api/plugins/upload">;
  isEnabled: boolean;
};

/** The plan of installing and, with `--enable`, enabling, which can't be planned before the package is stored. */
const planOf = async (client: Client, { file, query, isEnabled }: Wish): Promise<Planned> => {
  const seen = await client.upload("POST /api/plugins/inspect", { file });
  const { title, version, installedVersion, obstacles, needsDowngrade } = seen;
  if (obstacles.length > 0) throw new CliFailure("PLUGIN_INVALID", obstacles.join("\n"));
  if (needsDowngrade && query.allowDowngrade !== "true")
    throw new CliFailure("PLUGIN_EXISTS", errorTexts.PLUGIN_EXISTS);
  const words =
    installedVersion === null
      ? `Would install ${title} ${version}, disabled`
      : `Would bring ${title} from version ${installedVersion} to ${version}`;
  const enabling = { words: "Would then enable it", call: "POST /api/plugins/:name/toggle" } as const;
  return new Planned({ words, call: "POST /api/plugins/upload" }, ...(isEnabled ? [enabling] : []));
};

/**
 * What an admin agrees to before anything is sent, so that a refusal leaves nothing behind. Throws `CANCELLED`, `USAGE`,
 * `PUBLISHER_CHANGED`, and `SESSION_REQUIRED` where only a token could agree.
 */
const agreementTo = async (
  invocation: Invocation,
  client: Client,
  file: Parameters<Client["upload"]>[1]["file"],
): Promise<SentConsent> => {
  const preview = await client.upload("POST /api/plugins/inspect", { file });
  const { name, title, version, tier, permissions, newPermissions, signature, publisherChanged } = preview;
  if (publisherChanged !== null) {
    const { fromName, toName } = publisherChanged;
    throw new CliFailure(
      "PUBLISHER_CHANGED",
      `${pluginTexts.publisherChanged(title, fromName, toName)}: install it without --enable, then: atrium plugin replace-publisher ${name} ${version}`,
    );
  }
  if (tier === "bundled" || (tier !== "unsigned" && newPermissions.length === 0)) return {};
  if ((await invocation.remote()) !== null)
    throw new CliFailure("SESSION_REQUIRED", errorTexts.SESSION_REQUIRED);
  await askForConsent(
    invocation,
    { permissions, signature },
    { name, question: `Grant these permissions to ${name}?` },
  );
  return { consent: true, sha256: createHash("sha256").update(file.bytes).digest("hex") };
};

type SwitchedOn = { client: Client; installed: Plugin; agreed: SentConsent };

/** The plugin as it is enabled, at the version that just came. Throws `PLUGIN_START_FAILED`, saying which version runs. */
const switchedOn = async (
  invocation: Invocation,
  { client, installed, agreed }: SwitchedOn,
): Promise<Plugin> => {
  const { name, title, version, pendingVersion } = installed;
  const wanted = pendingVersion ?? version;
  try {
    const plugin = await put(invocation, { client, installed, agreed });
    if (plugin.version === wanted && !hasStopped.has(plugin.state)) return plugin;
    throw new CliFailure(
      "PLUGIN_START_FAILED",
      pluginTexts.startFailed(`${title} ${wanted}`, plugin.error ?? ""),
    );
  } catch (error) {
    await tellOfWaiting(invocation, client, installed);
    if (!(error instanceof CliFailure) || error.kind !== "PLUGIN_START_FAILED") throw error;
    const now = (await operationsOf(client).plugins.get({ name })).data;
    const runs =
      now.state === "running" ? `Version ${now.version} is running` : "No version of it is running";
    throw new CliFailure(error.kind, `${asSentence(error.message)} ${runs}`, { cause: error });
  }
};

const hasStopped: ReadonlySet<string> = new Set(["failed", "quarantined"]);

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const put = async ({ terminal }: Invocation, { client, installed, agreed }: SwitchedOn): Promise<Plugin> => {
  const { name, enabled, pendingVersion } = installed;
  const progress = createProgress(terminal);
  const { plugins } = operationsOf(client);
  if (enabled && pendingVersion === null) return installed;
  const [step, change] =
    enabled && pendingVersion !== null
      ? [
          `activating version ${pendingVersion}`,
          () => plugins.activateVersion({ name, version: pendingVersion, ...agreed }),
        ]
      : [`enabling ${name}`, () => plugins.toggle({ name, enabled: true, ...agreed })];
  return (await duringStep(progress, step, change)).data;
};

const tellOfWaiting = async (
  { output }: Invocation,
  client: Client,
  { name, pendingVersion }: Plugin,
): Promise<void> => {
  if (pendingVersion === null || output.isJson) return;
  const { publisherChanged } = (await operationsOf(client).plugins.get({ name })).data;
  const word = publisherChanged === null ? "update" : "replace-publisher";
  output.note(
    printable(
      `Version ${pendingVersion} is waiting; activate it with: atrium plugin ${word} ${name} ${pendingVersion}`,
    ),
  );
};

/** The bytes of a package, or of a folder as it is packed. Throws `USAGE` for a path that is neither. */
const readPackage = async ({ composition, terminal }: Invocation, path: string): Promise<Uint8Array> => {
  const facts = await stat(path).catch(() => null);
  if (facts === null) throw usage(`file or folder not found: ${path}`);
  if (facts.isDirectory())
    return duringStep(createProgress(terminal), `packing ${printable(path)}`, () =>
      composition.packPlugin(path),
    );
  if (facts.size > pluginLimits.packageBytes)
    throw usage(`${path} is larger than ${pluginLimits.packageBytes / 1_000_000} MB`);
  return Bun.file(path).bytes();
};
