import { parity } from "#cli/parity.ts";

/** The table of actions as docs/cli.md shows it; `bun tests/repository/parity-table.ts` prints it. */
export const parityTable = (): string =>
  [
    "| action | call | command |",
    "|---|---|---|",
    ...parity.map((row) => {
      const command = row.command === null ? "none" : `\`atrium ${row.command}\``;
      return `| ${row.action} | \`${row.call}\` | ${command}${"why" in row ? `: ${row.why}` : ""} |`;
    }),
  ].join("\n");

if (import.meta.main) console.log(parityTable());
