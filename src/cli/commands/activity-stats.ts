import type { Command } from "commander";
import { type ActivityFilters, activityQuery, withActivityFilters } from "#cli/activity-filters.ts";
import type { ApiAnswer } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";
import { examples } from "#cli/examples.ts";
import { formatCount } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/output.ts";
import { searchNotes } from "#cli/search-notes.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/table.ts";
import { newestSearched } from "#contract/activity-rules.ts";

/** The figures, and what a person should know of how they were come by. */
type Counted = { stats: Stats; notes: string[] };
type Stats = ApiAnswer<"GET /api/admin/activity/stats">;

/** `activity stats`: how many activities of which kind there are. */
export const addActivityStatsCommand = (group: Command, cli: Cli): void => {
  withActivityFilters(
    group
      .command("stats")
      .summary("count the activities")
      .description(
        "Counts the activities by outcome, severity, type and plugin; security events are the critical ones and those " +
          "about permissions. On a terminal as tables; elsewhere one figure a line, with a tab between name and number. Of a " +
          "search with more matches than are counted the total ends with a plus sign, as in 1000+.",
      ),
  )
    .addHelpText(
      "after",
      examples(
        ["Everything", "atrium activity stats"],
        ["The last week", "atrium activity stats --since 7d"],
        [
          "How many failed today, for a script",
          "atrium activity stats --since 24h --json | jq .byStatus.failure",
        ],
      ),
    )
    .action(
      handler<ActivityFilters>(cli, async (invocation, options) => {
        const { stats, notes } = await withClient(invocation, (client) => readStats(client, options));
        invocation.output.result(stats, statsText);
        for (const note of notes) invocation.output.note(note);
      }),
    );
};

const readStats = async (client: Client, options: ActivityFilters): Promise<Counted> => {
  const query = activityQuery(options);
  const stats = await client.call("GET /api/admin/activity/stats", { query });
  const { total } = stats;
  const searchedNewest = newestSearched(options.search ?? "");
  return {
    stats,
    notes: searchNotes({ pagination: { total, totalIsEstimate: false, searchedNewest }, stats }),
  };
};

const statsText = (stats: Stats, style: Style): string =>
  style.isTerminal ? tablesText(stats, style) : figuresText(stats);

type Count = { name: string; count: number };

/** The counts of one kind, the most frequent first. */
const groupsOf = ({ byStatus, bySeverity, byType, pluginActivity }: Stats): Record<string, Count[]> => ({
  status: countsOf(byStatus),
  severity: countsOf(bySeverity),
  type: countsOf(byType),
  plugin: pluginActivity.map(({ pluginName, count }) => ({ name: pluginName, count })),
});

const countsOf = (counts: Record<string, number | undefined>): Count[] =>
  Object.entries(counts)
    .map(([name, count = 0]) => ({ name, count }))
    .sort((a, b) => b.count - a.count);

// A program that takes it for a number fails instead of being wrong.
const markOf = (name: string, stats: Stats): string =>
  name === "total" && stats.coversNewest !== null ? "+" : "";

const tilesOf = (stats: Stats): [name: string, count: number][] => [
  ["total", stats.total],
  ["last24Hours", stats.last24Hours],
  ["failures", stats.failures],
  ["securityEvents", stats.securityEvents],
];

const figuresText = (stats: Stats): string => {
  const groups = Object.entries(groupsOf(stats)).flatMap(([group, counts]) =>
    counts.map(({ name, count }): [string, number] => [`${group}.${name}`, count]),
  );
  const newest = stats.coversNewest;
  const figures = [
    ...tilesOf(stats),
    ...groups,
    ...(newest === null ? [] : [["coversNewest", newest] as const]),
  ];
  return figures.map(([name, count]) => `${printable(name)}\t${count}${markOf(name, stats)}`).join("\n");
};

const tileNames: Record<string, string> = {
  total: "Activities",
  last24Hours: "Last 24 hours",
  failures: "Failures",
  securityEvents: "Security events",
};

const tablesText = (stats: Stats, style: Style): string => {
  const tiles = tilesOf(stats).map(([name, count]): [string, string] => [
    tileNames[name] ?? name,
    `${formatCount(count)}${markOf(name, stats)}`,
  ]);
  const tables = Object.entries(groupsOf(stats))
    .filter(([, counts]) => counts.length > 0)
    .map(([group, counts]) => formatTable(countColumns(group, stats.total), counts, style));
  return [formatFacts(tiles, style), ...tables].join("\n\n");
};

const barWidth = 20;

const countColumns = (group: string, total: number): Column<Count>[] => [
  { heading: group.toUpperCase(), cell: ({ name }) => name },
  { heading: "COUNT", cell: ({ count }) => formatCount(count), least: whole },
  {
    heading: "SHARE",
    cell: ({ count }) => "█".repeat(Math.max(1, Math.round((count / Math.max(1, total)) * barWidth))),
    isSpare: true,
  },
];
