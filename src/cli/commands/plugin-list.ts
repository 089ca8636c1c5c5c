import type { Command } from "commander";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { stateText } from "#cli/plugin-state.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import type { Plugin, PluginState } from "#contract/plugins.ts";

/** `plugin list`: the installed plugins. */
export const addPluginListCommand = (group: Command, cli: Cli): void => {
  group
    .command("list")
    .summary("list the installed plugins")
    .description(
      "Lists the installed plugins by name. On a terminal as a table; elsewhere one a line with tabs between name, " +
        "version, state, type, signature, the plugins that it needs, and title, and no headings.",
    )
    .addHelpText(
      "after",
      examples(
        ["All of them", "atrium plugin list"],
        [
          "Those that do not run as they should",
          "atrium plugin list | awk -F '\\t' '$3 ~ /failed|quarantined/'",
        ],
        ["As the API answers it", "atrium plugin list --json"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const { rows, isServer } = await withClient(invocation, async (client) => ({
          rows: await listFully(client),
          isServer: client.isServer,
        }));
        invocation.output.result(rows, (list, style) =>
          list.length === 0 && style.isTerminal
            ? "No plugins are installed. Install one with: atrium plugin install FILE"
            : formatTable(columns(style, isServer), list, style),
        );
      }),
    );
};

/** The plugins as admins see them. Throws what the server says to whoever is none. */
const listFully = async (client: Client): Promise<Plugin[]> => {
  const plugins = await client.call("GET /api/plugins");
  const rows = plugins.filter((plugin): plugin is Plugin => "state" in plugin);
  const little = plugins.find((plugin) => !("state" in plugin));
  if (little === undefined) return rows;
  // Visitors are told of plugins too, but little: a call that is not for them says why this one is taken for one.
  await client.call("GET /api/plugins/:name", { params: { name: little.name } });
  throw new CliFailure("NOT_SIGNED_IN", "the token is not valid, or not that of an admin");
};

/** A state in its colour: what runs, what needs somebody, and the rest. */
export const paintState =
  (style: Style) =>
  (text: string, { state }: { state: PluginState }): string => {
    if (state === "running") return style.green(text);
    return state === "failed" || state === "quarantined" ? style.red(text) : style.dim(text);
  };

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

const versionText = ({ version, pendingVersion }: Plugin): string =>
  pendingVersion === null ? version : `${version} (${pendingVersion} waits)`;
