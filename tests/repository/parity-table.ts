import { type ParityRow, parity } from "#cli/parity.ts";
import { type PluginParityRow, pluginParity } from "#cli/plugin-parity.ts";

/** The table of actions as docs/cli.md shows it; `bun tests/repository/parity-table.ts` prints it, and that of plugins' pages. */
export const parityTable = (): string => tableOf(parity);

/** The table of what the pages of plugins do, as docs/cli.md shows it. */
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
