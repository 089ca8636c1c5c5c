import type {
  Activity,
  ActivityDays,
  ActivityList,
  ActivityStats,
  Retention,
} from "#api/modules/activity/contract.ts";
import { activityId } from "#cli/operations/typed-values.ts";
import { formatCount, formatSecond, totalText } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, columnsOf, formatFacts, formatTable, whole } from "#cli/terminal/table.ts";
import { activityTexts, formatDuration, newestSearched } from "#contract/activity.ts";
import { asText, type ChangeRow, changeRows } from "#contract/change-rows.ts";
import { activityFields, labelled } from "#contract/field-marks.ts";
import { listText, type View } from "../../operations/declared-command.ts";
import { cleanUpView, countOlder, daysOrOff } from "./activity-cleanup.ts";
import { exportView, searchNotes } from "./activity-export.ts";
import { verifyView } from "./activity-verify.ts";

/** How many activities of which kind there are: as tables for a person, else one figure a line. */
const statsText = (stats: ActivityStats, style: Style): string =>
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

const column = columnsOf<Activity>(activityFields);

/** The columns of a table of activities; a narrow terminal does without the spare ones, the last first. */
const activityColumns = (style: Style): Column<Activity>[] => [
  column("timestamp", { as: formatSecond, least: whole }),
  column("pluginName", { least: 6, isSpare: true }),
  column("type", { isSpare: true }),
  column("action", { cell: actionOf }),
  // Whose role, which setting: without it an action says little.
  column("description", { least: 16 }),
  column("status", { paint: (text, { status }) => statusPaint(style)[status](text), least: whole }),
  column("severity", { paint: (text, { severity }) => severityPaint(style)[severity](text), least: whole }),
  { heading: "USER", cell: actorOf, isSpare: true },
  column("duration", { as: formatDuration, least: whole, isSpare: true }),
  // Leads to everything that doesn't fit in the line.
  { heading: "ID", cell: ({ id }) => String(id), least: whole },
];

/** One activity as a line for a person who watches. */
export const activityLine = (activity: Activity, style: Style): string => {
  const { timestamp, status, severity, pluginName, type, description, duration } = activity;
  const words = [actionOf(activity), description].filter(Boolean).join(": ");
  const timed = duration === null ? "" : ` in ${formatDuration(duration)}`;
  return [
    style.dim(formatSecond(timestamp)),
    severityPaint(style)[severity](severity.padEnd(8)),
    statusPaint(style)[status](status.padEnd(7)),
    style.bold(printable(`${pluginName} ${type}`)),
    printable(`${words} (${actorOf(activity)}${timed})`),
  ].join("  ");
};

/** One activity with everything that was recorded of it, its changes as a table. */
const activityDetail = (activity: Activity, style: Style): string => {
  const { occurrences, changes } = activity;
  const facts = formatFacts(
    labelled(activityFields, {
      id: String(activity.id),
      timestamp: formatSecond(activity.timestamp),
      pluginName: activity.pluginName,
      type: activity.type,
      action: activity.action,
      description: activity.description || none,
      status: activity.status,
      severity: activity.severity,
      duration: formatDuration(activity.duration),
      occurrences: occurrences === 1 ? "once" : `${occurrences} times`,
      actorKind: activity.actorKind,
      userEmail: activity.userEmail ?? none,
      userId: activity.userId ?? none,
      ip: activity.ip ?? none,
      userAgent: activity.userAgent ?? none,
      requestId: activity.requestId ?? none,
      changes: null,
    }),
    style,
  );
  const rows = changes === null ? [] : changeRows(changes.before, changes.after);
  return rows.length === 0 ? facts : `${facts}\n\n${formatTable(changeColumns, rows, style)}`;
};

const none = "none";

const changeColumns: Column<ChangeRow>[] = [
  { heading: "FIELD", cell: ({ field }) => field || "value" },
  { heading: "BEFORE", cell: ({ before }) => asText(before) || none },
  { heading: "AFTER", cell: ({ after }) => asText(after) || none },
];

const actionOf = ({ action, occurrences }: Activity): string =>
  occurrences > 1 ? `${action} (${occurrences} times)` : action;

const actorOf = ({ userEmail, userId, actorKind }: Activity): string => userEmail ?? userId ?? actorKind;

const plain = (text: string): string => text;

const statusPaint = ({ green, yellow, red }: Style) => ({
  success: green,
  failure: red,
  warning: yellow,
  info: plain,
});

const severityPaint = ({ dim, yellow, red }: Style) => ({
  low: dim,
  medium: plain,
  high: yellow,
  critical: red,
});

/** How the commands about the activity log show what is answered, and what those do that call more than one operation. */
export const activityViews = {
  "activity list": {
    read: { before: activityId },
    text: ({ activities }, style) =>
      listText(activities, { columns: activityColumns(style), none: activityTexts.none, style }),
    counted: ({ activities, pagination }, { before }) => {
      const { total, limit, offset, totalIsEstimate, searchedNewest } = pagination;
      const last = activities.at(-1);
      // The total counts those too that `--before` leaves out.
      const isEnd = before === undefined && !totalIsEstimate && offset + activities.length >= total;
      const more =
        last && activities.length === limit && !isEnd ? `; see older ones with --before ${last.id}` : "";
      const searched =
        searchedNewest === null ? "" : `; only the newest ${formatCount(searchedNewest)} were searched`;
      return `${activities.length} of ${totalText(pagination)} activities${more}${searched}`;
    },
    isNone: ({ activities }) => activities.length === 0,
    notes: searchNotes,
  } satisfies View<ActivityList, { before?: number }>,
  "activity show": {
    // The API knows one way to write a number: without leading zeros.
    read: { id: (text) => String(activityId(text)) },
    text: activityDetail,
  } satisfies View<Activity>,
  "activity stats": {
    text: statsText,
    notes: (stats, { search = "" }) =>
      searchNotes({
        pagination: { total: stats.total, totalIsEstimate: false, searchedNewest: newestSearched(search) },
        stats,
      }),
  } satisfies View<ActivityStats, { search?: string }>,
  "activity days": {
    text: ({ days }, style) => formatTable(dayColumns, days, style),
  } satisfies View<ActivityDays>,
  "activity export": exportView,
  "activity verify": verifyView,
  "activity retention show": { text: ({ days }) => activityTexts.kept(days) } satisfies View<Retention>,
  "activity retention set": {
    read: { days: daysOrOff },
    question: ({ days }) =>
      days === null
        ? null
        : async (client) =>
            `Permanently remove activities once they are older than ${days} ${days === 1 ? "day" : "days"}? ${formatCount(await countOlder(client, days))} already are.`,
    text: ({ days }) => activityTexts.kept(days),
  } satisfies View<Retention, Retention>,
  "activity cleanup": cleanUpView,
};

const dayColumns: Column<ActivityDays["days"][number]>[] = [
  { heading: "DAY", cell: ({ date }) => date, least: whole },
  { heading: "ALL", cell: ({ total }) => formatCount(total), least: whole },
  { heading: "FAILURES", cell: ({ failures }) => formatCount(failures), least: whole },
  { heading: "SECURITY", cell: ({ securityEvents }) => formatCount(securityEvents), least: whole },
];
