import type { SecretsStatus } from "#api/modules/secrets/contract.ts";
import { formatCount } from "#cli/terminal/format.ts";
import type { Style } from "#cli/terminal/output.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/terminal/table.ts";
import type { View } from "../../operations/declared-command.ts";

/** How the commands about the application's key show what is answered. */
export const secretsViews = {
  "secrets status": {
    text: ({ fingerprint, previousFingerprint, places }, style) => {
      const facts = formatFacts(
        [
          ["Current key", fingerprint],
          ["Previous key", previousFingerprint ?? "none"],
        ],
        style,
      );
      return [facts, formatTable(columnsFor(style), places, style)].join(style.isTerminal ? "\n\n" : "\n");
    },
  } satisfies View<SecretsStatus>,
};

const columnsFor = (style: Style): Column<SecretsStatus["places"][number]>[] => [
  { heading: "STORED IN", cell: ({ table, column }) => `${table}.${column}`, least: whole },
  { heading: "CURRENT", cell: ({ current }) => formatCount(current) },
  {
    heading: "PREVIOUS",
    cell: ({ previous }) => formatCount(previous),
    paint: (text, { previous }) => (previous > 0 ? style.yellow(text) : text),
  },
  {
    heading: "UNKNOWN KEY",
    cell: ({ unknown }) => formatCount(unknown),
    paint: (text, { unknown }) => (unknown > 0 ? style.red(text) : text),
  },
];
