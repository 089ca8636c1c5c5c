import type { Command } from "commander";
import { activateVersion } from "#cli/activate-version.ts";
import type { Client } from "#cli/client.ts";
import { withConsent } from "#cli/consent.ts";
import { counted } from "#cli/counted.ts";
import { enabledDependents, type ListedPlugin } from "#cli/enabled-dependents.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatBytes } from "#cli/format.ts";
import { type Cli, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { outlookOf } from "#cli/plugin-state.ts";
import { createProgress, duringStep } from "#cli/progress.ts";
import { addPluginPackageCommands } from "./plugin-packages.ts";

/** `plugin enable`, `disable`, `remove`, `update` and `rollback`. */
export const addPluginChanges = (group: Command, cli: Cli): void => {
  addEnable(group, cli);
  addDisable(group, cli);
  addRemove(group, cli);
  addUpdate(group, cli);
  addRollback(group, cli);
  addPluginPackageCommands(group, cli);
};

const nameWords = "name of the plugin";

const addEnable = (group: Command, cli: Cli): void => {
  group
    .command("enable")
    .argument("<name>", nameWords)
    .summary("switch a plugin on")
    .description(
      "Enables a plugin and waits until it runs. When it asks for permissions, or nobody signed it, shows what it wants " +
        "and asks; --yes grants it.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["See what it wants, and decide", "atrium plugin enable visitor-notes"],
        ["In a script", "atrium plugin enable visitor-notes --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = ""] = invocation.args;
        const progress = createProgress(invocation.terminal);
        const { plugin, outlook } = await withClient(invocation, async (client) => {
          const plugin = await withConsent(invocation, name, (consent) =>
            duringStep(progress, `enabling ${printable(name)}`, () =>
              client.call("POST /api/plugins/:name/toggle", {
                params: { name },
                body: { enabled: true, ...consent },
              }),
            ),
          );
          return { plugin, outlook: await outlookOf(plugin, client) };
        });
        invocation.output.result(plugin, ({ title, version }) =>
          printable(`${title} ${version}: ${outlook}`),
        );
      }),
    );
};

const addDisable = (group: Command, cli: Cli): void => {
  group
    .command("disable")
    .argument("<name>", nameWords)
    .summary("switch a plugin off")
    .description(
      "Disables a plugin, and first those that need it, after it has named them and asked. They stay off when it comes " +
        "back. Its data stays.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Where nothing needs it, at once", "atrium plugin disable visitor-notes"],
        ["With all that need it, in a script", "atrium plugin disable licensing --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = ""] = invocation.args;
        const { plugin, others } = await withClient(invocation, async (client) => {
          const before = await enabledPlugins(client);
          await askAboutOthers(invocation, before, name);
          const plugin = await duringStep(
            createProgress(invocation.terminal),
            `disabling ${printable(name)}`,
            () =>
              client.call("POST /api/plugins/:name/toggle", { params: { name }, body: { enabled: false } }),
          );
          const left = (await enabledPlugins(client)).map((one) => one.name);
          const off = before.map((one) => one.name).filter((one) => !left.includes(one));
          return { plugin, others: off.filter((one) => one !== plugin.name) };
        });
        if (others.length > 0) invocation.output.note(printable(`With it went off: ${others.join(", ")}`));
        invocation.output.result(plugin, ({ title, state }) => printable(`${title}: ${state}`));
      }),
    );
};

const enabledPlugins = async (client: Client): Promise<ListedPlugin[]> =>
  (await client.call("GET /api/plugins")).filter(({ enabled }) => enabled);

/** Asks when other plugins go off with one, and names them. */
const askAboutOthers = async (
  { confirm }: Invocation,
  enabled: readonly ListedPlugin[],
  name: string,
): Promise<void> => {
  const mine = enabled.find((one) => one.name === name);
  const others = mine === undefined ? [] : enabledDependents(enabled, name);
  if (mine === undefined || others.length === 0) return;
  const called = others.map(calledPlugin).join(", ");
  await confirm(async () => `Disable ${calledPlugin(mine)}, and first what needs it: ${called}?`);
};

const calledPlugin = ({ title, name }: ListedPlugin): string => title ?? name;

const addRemove = (group: Command, cli: Cli): void => {
  group
    .command("remove")
    .argument("<name>", nameWords)
    .option("--retain-data", "keep its settings, values, files and grants for a later installation")
    .option("--force", "disable plugins that need it first")
    .summary("delete a plugin")
    .description(
      "Deletes a plugin with everything that it stored, or with --retain-data without that. Shows what goes, and asks first.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", "atrium plugin remove visitor-notes"],
        ["Keep what it stored", "atrium plugin remove visitor-notes --retain-data --yes"],
      ),
    )
    .action(
      handler<{ retainData?: true; force?: true }>(cli, async (invocation, { retainData, force }) => {
        const [name = ""] = invocation.args;
        const removed = await withClient(invocation, async (client) => {
          const params = { name };
          await invocation.confirm(async () => {
            const { title, data } = await client.call("GET /api/plugins/:name", { params });
            const lost = `${counted(data.keys, "key")}, ${counted(data.files, "file")} (${formatBytes(data.fileBytes)}) and its settings`;
            return retainData
              ? `Delete ${title} and keep its data?`
              : `Delete ${title} with ${lost} for good?`;
          });
          const query = {
            ...(retainData ? ({ retainData: "true" } as const) : {}),
            ...(force ? ({ force: "true" } as const) : {}),
          };
          return duringStep(createProgress(invocation.terminal), `deleting ${printable(name)}`, () =>
            client.call("DELETE /api/plugins/:name", { params, query }),
          );
        });
        invocation.output.result(removed, ({ message }) => printable(message));
      }),
    );
};

const addUpdate = (group: Command, cli: Cli): void => {
  group
    .command("update")
    .argument("<name>", nameWords)
    .argument("[version]", "the version that waits, where another one must not be taken for it")
    .summary("put the version that waits in force")
    .description(
      "Puts the version in force that was installed and waits, for consent or since it could not start. Shows what it wants " +
        "and asks; --yes grants it. The old one goes on until the new one has started.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["See what it wants, and decide", "atrium plugin update visitor-notes"],
        ["In a script", "atrium plugin update visitor-notes 1.2.0 --yes"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", wanted] = invocation.args;
        const plugin = await withClient(invocation, async (client) => {
          const { pendingVersion } = await client.call("GET /api/plugins/:name", { params: { name } });
          if (pendingVersion === null || (wanted !== undefined && wanted !== pendingVersion))
            throw new CliFailure(
              "NOT_FOUND",
              `${wanted === undefined ? "no version" : `not version ${wanted}`} of ${name} waits; see: atrium plugin info ${name}`,
            );
          return activateVersion(invocation, { client, name, version: pendingVersion });
        });
        invocation.output.result(plugin, ({ title, version }) =>
          printable(`${title} is at version ${version}`),
        );
      }),
    );
};

const addRollback = (group: Command, cli: Cli): void => {
  group
    .command("rollback")
    .argument("<name>", nameWords)
    .argument("[version]", "which of the kept versions; the one before unless given")
    .summary("go to another kept version")
    .description(
      "Puts another of the kept versions in force: an earlier one, or one that waits for consent or could not start. A " +
        "plugin that runs goes on with the old one until the other has started.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["To the version before", "atrium plugin rollback visitor-notes"],
        ["To a certain one", "atrium plugin rollback visitor-notes 1.2.0"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const [name = "", wanted] = invocation.args;
        const plugin = await withClient(invocation, async (client) => {
          const version = wanted ?? (await versionBefore(client, name));
          return activateVersion(invocation, { client, name, version });
        });
        invocation.output.result(plugin, ({ title, version }) =>
          printable(`${title} is at version ${version}`),
        );
      }),
    );
};

/** The kept version that was in force before. Throws `NOT_FOUND` when there is none. */
const versionBefore = async (client: Client, name: string): Promise<string> => {
  const { versions } = await client.call("GET /api/plugins/:name", { params: { name } });
  const current = versions.findIndex(({ isCurrent }) => isCurrent);
  const before = versions[current + 1];
  if (before !== undefined) return before.version;
  throw new CliFailure("NOT_FOUND", `no earlier version of ${name} is kept; see: atrium plugin info ${name}`);
};
