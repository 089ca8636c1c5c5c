import type { ActivityStats } from "#api/modules/activity/contract.ts";
import { formatCount } from "#cli/format.ts";
import { printable, type Style } from "#cli/output.ts";
import { type Column, formatFacts, formatTable, whole } from "#cli/table.ts";

/** How many activities of which kind there are: as tables for a person, else one figure a line. */
export const statsText = (stats: ActivityStats, style: Style): string =>
  style.isTerminal ? tablesText(stats, style) : figuresText(stats);

type Count = { name: string; count: number };

/** The counts of one kind, the most frequent first. */
const groupsOf = ({
  byStatus,
  bySeverity,
  byType,
  pluginActivity,
}: ActivityStats): Record<string, Count[]> => ({
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
const markOf = (name: string, stats: ActivityStats): string =>
  name === "total" && stats.coversNewest !== null ? "+" : "";

const tilesOf = (stats: ActivityStats): [name: string, count: number][] => [
  ["total", stats.total],
  ["last24Hours", stats.last24Hours],
  ["failures", stats.failures],
  ["securityEvents", stats.securityEvents],
];

const figuresText = (stats: ActivityStats): string => {
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

const tablesText = (stats: ActivityStats, style: Style): string => {
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
