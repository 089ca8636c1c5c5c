import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatCount } from "#cli/format.ts";
import { type Cli, type GlobalOptions, handler, refuseRemote, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/table.ts";

type SecretsStatus = ApiAnswer<"GET /api/system/secrets">;
type Place = SecretsStatus["places"][number];

/** `secrets status`: which keys there are, and what lies under which. */
export const addSecretsStatusCommand = (group: Command, cli: Cli): void => {
  group
    .command("status")
    .summary("which keys there are, and what lies under which")
    .description(
      "Shows the fingerprint of the current key, that of the previous one where APP_SECRET_PREVIOUS is set, and how many " +
        "stored values lie under which. A fingerprint tells keys apart and nothing of them.",
    )
    .addHelpText(
      "after",
      examples(
        ["Show it", "atrium secrets status"],
        [
          "Whether the previous key is still needed, for a script",
          "atrium secrets status --json | jq '[.places[].previous] | add'",
        ],
      ),
    )
    .action(
      handler<GlobalOptions>(cli, async (invocation, options) => {
        refuseRemote(options, "secrets status");
        const status = await withClient(invocation, (client) => client.call("GET /api/system/secrets"));
        invocation.output.result(status, statusText);
      }),
    );
};

const statusText = (status: SecretsStatus, style: Style): string => {
  const { fingerprint, previousFingerprint, places } = status;
  const facts = formatFacts(
    [
      ["Current key", fingerprint],
      ["Previous key", previousFingerprint ?? "none"],
    ],
    style,
  );
  return [facts, formatTable(columnsFor(style), places, style)].join(style.isTerminal ? "\n\n" : "\n");
};

const columnsFor = (style: Style): Column<Place>[] => [
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
