import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { withConsent } from "#cli/consent.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { outlookOf } from "#cli/plugin-state.ts";
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
        const { plugin, outlook } = await withClient(invocation, async (client) => {
          const found = async (plugin: Plugin) => ({ plugin, outlook: await outlookOf(plugin, client) });
          const installed = await client.upload("POST /api/plugins/upload", {
            file,
            query: allowDowngrade ? { allowDowngrade: "true" } : {},
          });
          if (!enable || installed.enabled) return found(installed);
          const { name } = installed;
          return found(
            await withConsent(invocation, name, (consent) =>
              client.call("POST /api/plugins/:name/toggle", {
                params: { name },
                body: { enabled: true, ...consent },
              }),
            ),
          );
        });
        if (plugin.pendingVersion !== null)
          invocation.output.note(
            `Version ${plugin.pendingVersion} waits: put it in force with: atrium plugin rollback ${plugin.name} ${plugin.pendingVersion}`,
          );
        invocation.output.result(plugin, ({ title, version }) =>
          printable(`Installed ${title} ${version}: ${outlook}`),
        );
      }),
    );
};

/** The bytes of a package, or of a folder as it is packed. Throws `USAGE` for a path that is neither. */
const readPackage = async ({ composition }: Invocation, path: string): Promise<Uint8Array> => {
  const facts = await stat(path).catch(() => null);
  if (facts === null) throw new CliFailure("USAGE", `there is no file or folder ${path}`);
  if (facts.isDirectory()) return composition.packPlugin(path);
  if (facts.size > pluginLimits.packageBytes)
    throw new CliFailure("USAGE", `${path} is larger than ${pluginLimits.packageBytes / 1_000_000} MB`);
  return Bun.file(path).bytes();
};
