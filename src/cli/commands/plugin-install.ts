import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { activateVersion } from "#cli/activate-version.ts";
import type { Client } from "#cli/client.ts";
import { withConsent } from "#cli/consent.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { Planned, planOption, stepsOf } from "#cli/plan/planned.ts";
import { outlookOf } from "#cli/plugin-state.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { type Plugin, pluginLimits } from "#contract/plugins.ts";

type InstallOptions = { enable?: true; allowDowngrade?: true };

/** `plugin install`: puts a package or a folder into the installation. */
export const addPluginInstallCommand = (group: Command, cli: Cli): void => {
  group
    .command("install")
    .argument("<file>", "a package (.zip), or the folder of a plugin, which is packed first")
    .option("--enable", "switch it on at once; asks for what it wants, or takes --yes")
    .option("--allow-downgrade", "install a version that is older than the installed one")
    .summary("install or update a plugin")
    .description(
      "Installs a plugin, disabled, or brings an installed one to a newer version; one that runs goes on with the old " +
        "version until the new one has started. Nothing of a package runs before it is enabled.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["A package", "atrium plugin install ./visitor-notes-1.2.0.zip"],
        ["The folder you work in, switched on", "atrium plugin install ./visitor-notes --enable --yes"],
      ),
    )
    .action(
      handler<InstallOptions>(cli, async (invocation, { enable, allowDowngrade }) => {
        const [path = ""] = invocation.args;
        const bytes = await readPackage(invocation, path);
        const file = { field: "plugin", name: `${basename(path).replace(/\.zip$/i, "")}.zip`, bytes };
        const query = allowDowngrade ? ({ allowDowngrade: "true" } as const) : {};
        const { plugin, outlook } = await withClient(invocation, async (client) => {
          if (invocation.isPlan) throw await planOf(client, { file, query, isEnabled: enable === true });
          const installed = await duringStep(
            createProgress(invocation.terminal),
            `sending ${formatBytes(bytes.byteLength)}`,
            () => client.upload("POST /api/plugins/upload", { file, query }),
          );
          const plugin = enable ? await switchedOn(invocation, { client, installed }) : installed;
          return { plugin, outlook: await outlookOf(plugin, client) };
        });
        tellOfWaiting(invocation, plugin);
        invocation.output.result(plugin, ({ title, version }) =>
          printable(`Installed ${title} ${version}: ${outlook}`),
        );
      }),
    );
};

type Wish = Parameters<Client["upload"]>[1] & { isEnabled: boolean };

/** Installing, and with `--enable` switching it on, which nobody can look at before the package is there. */
const planOf = async (client: Client, { isEnabled, ...input }: Wish): Promise<Planned> => {
  const steps = await stepsOf(() => client.upload("POST /api/plugins/upload", input));
  const enabling = { words: "Would then enable it", call: "POST /api/plugins/:name/toggle" } as const;
  return new Planned(...steps, ...(isEnabled ? [enabling] : []));
};

/** The plugin as it is enabled, at the version that just came. What it asks for is asked first. */
const switchedOn = async (
  invocation: Invocation,
  { client, installed }: { client: Client; installed: Plugin },
): Promise<Plugin> => {
  const { name, enabled, pendingVersion } = installed;
  if (!enabled) {
    const progress = createProgress(invocation.terminal);
    return withConsent(invocation, name, (consent) =>
      duringStep(progress, `enabling ${name}`, () =>
        client.call("POST /api/plugins/:name/toggle", {
          params: { name },
          body: { enabled: true, ...consent },
        }),
      ),
    );
  }
  if (pendingVersion === null) return installed;
  try {
    return await activateVersion(invocation, { client, name, version: pendingVersion });
  } catch (error) {
    tellOfWaiting(invocation, installed);
    throw error;
  }
};

const tellOfWaiting = ({ output }: Invocation, { name, pendingVersion }: Plugin): void => {
  if (pendingVersion === null || output.isJson) return;
  output.note(
    printable(
      `Version ${pendingVersion} waits: put it in force with: atrium plugin update ${name} ${pendingVersion}`,
    ),
  );
};

/** The bytes of a package, or of a folder as it is packed. Throws `USAGE` for a path that is neither. */
const readPackage = async ({ composition, terminal }: Invocation, path: string): Promise<Uint8Array> => {
  const facts = await stat(path).catch(() => null);
  if (facts === null) throw new CliFailure("USAGE", `there is no file or folder ${path}`);
  if (facts.isDirectory())
    return duringStep(createProgress(terminal), `packing ${printable(path)}`, () =>
      composition.packPlugin(path),
    );
  if (facts.size > pluginLimits.packageBytes)
    throw new CliFailure("USAGE", `${path} is larger than ${pluginLimits.packageBytes / 1_000_000} MB`);
  return Bun.file(path).bytes();
};
