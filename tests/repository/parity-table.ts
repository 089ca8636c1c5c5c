import { commandWords, coreOperations } from "#api/operations.ts";
import { declaredRoutes } from "#api/testing/declared-routes.ts";
import { type PluginParityRow, pluginParity } from "#cli/plugin-parity.ts";

/**
 * One action of administrators: what it does, the API call of the web, and the command that does the same. `why`: no command
 * makes this very call; `command` does the same in another way, or is `null` where none is needed.
 */
export type ParityRow = { action: string; call: string; command: string | null; why?: string };

/** Every action of the admin area with its command, as contracts and the table of the other routes have them. */
export const parity: readonly ParityRow[] = [
  ...coreOperations.flatMap(({ module, operation: { endpoint: call, commands = [], calledBy } }) => [
    ...commands.flatMap((command) =>
      command.action === undefined
        ? []
        : [{ action: command.action, call, command: commandWords(module, command) }],
    ),
    ...(calledBy === undefined ? [] : [{ ...calledBy, call }]),
  ]),
  ...Object.entries(declaredRoutes).flatMap(([call, { action }]) =>
    action === undefined ? [] : [{ ...action, call }],
  ),
];

/** The table of actions as docs/cli-actions.md shows it; `bun tests/repository/parity-table.ts` prints it, and that of plugins' pages. */
export const parityTable = (): string => tableOf(parity);

/** The table of what the pages of plugins do, as docs/cli-actions.md shows it. */
export const pluginParityTable = (): string => tableOf(pluginParity);

const tableOf = (rows: readonly (ParityRow | PluginParityRow)[]): string =>
  [
    "| action | call | command |",
    "|---|---|---|",
    ...rows.map((row) => {
      const command = row.command === null ? "none" : `\`atrium ${row.command}\``;
      return `| ${row.action} | \`${row.call}\` | ${command}${"why" in row ? `: ${row.why}` : ""} |`;
    }),
  ].join("\n");

if (import.meta.main) console.log(`${parityTable()}\n\n${pluginParityTable()}`);
