import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { createProgress, duringStep } from "#cli/progress.ts";

/** `plugin discard` and `reinstall`: what becomes of packages that are not in force. */
export const addPluginPackageCommands = (group: Command, cli: Cli): void => {
  addDiscard(group, cli);
  addReinstall(group, cli);
};

const addDiscard = (group: Command, cli: Cli): void => {
  group
    .command("discard")
    .argument("<name>", "name of the plugin")
    .argument("<version>", "the version, as plugin info lists them")
    .summary("delete a kept version")
    .description(
      "Deletes a kept version of a plugin that is not in force, such as one that waits for consent. Asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium plugin discard visitor-notes 1.3.0"],
        ["In a script", "atrium plugin discard visitor-notes 1.3.0 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", version = ""] = invocation.args;
        const plugin = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => `Discard version ${version} of ${name} for good?`);
          return client.call("DELETE /api/plugins/:name/versions/:version", { params: { name, version } });
        });
        invocation.output.result(plugin, ({ title }) =>
          printable(`Discarded version ${version} of ${title}`),
        );
      }),
    );
};

const addReinstall = (group: Command, cli: Cli): void => {
  group
    .command("reinstall")
    .argument("<name>", "name of the plugin")
    .summary("install a deleted plugin of Atrium again")
    .description(
      "Installs a plugin that is part of Atrium again after it was deleted, disabled; what was retained of it comes back.",
    )
    .option(...planOption)
    .addHelpText("after", examples(["After it was deleted", "atrium plugin reinstall firewall"]))
    .action(
      handler(cli, async (invocation) => {
        const [name = ""] = invocation.args;
        const plugin = await withClient(invocation, (client) =>
          duringStep(createProgress(invocation.terminal), `installing ${printable(name)}`, () =>
            client.call("POST /api/plugins/:name/restore", { params: { name } }),
          ),
        );
        invocation.output.result(plugin, ({ title, version }) => printable(`Installed ${title} ${version}`));
      }),
    );
};
