import type { Activity } from "#api/modules/activity/contract.ts";
import { formatSecond } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, formatFacts, formatTable, headingOf, whole } from "#cli/terminal/table.ts";
import { formatDuration } from "#contract/activity.ts";
import { asText, type ChangeRow, changeRows } from "#contract/change-rows.ts";
import { activityFields, labelled } from "#contract/field-marks.ts";

/** The columns of a table of activities; a narrow terminal does without the spare ones, the last first. */
export const activityColumns = (style: Style): Column<Activity>[] => [
  {
    heading: headingOf(activityFields.timestamp),
    cell: ({ timestamp }) => formatSecond(timestamp),
    least: whole,
  },
  {
    heading: headingOf(activityFields.pluginName),
    cell: ({ pluginName }) => pluginName,
    least: 6,
    isSpare: true,
  },
  { heading: headingOf(activityFields.type), cell: ({ type }) => type, isSpare: true },
  { heading: headingOf(activityFields.action), cell: actionOf },
  // Whose role, which setting: without it an action says little.
  { heading: headingOf(activityFields.description), cell: ({ description }) => description, least: 16 },
  {
    heading: headingOf(activityFields.status),
    cell: ({ status }) => status,
    paint: (text, { status }) => statusPaint(style)[status](text),
    least: whole,
  },
  {
    heading: headingOf(activityFields.severity),
    cell: ({ severity }) => severity,
    paint: (text, { severity }) => severityPaint(style)[severity](text),
    least: whole,
  },
  { heading: "USER", cell: actorOf, isSpare: true },
  {
    heading: headingOf(activityFields.duration),
    cell: ({ duration }) => formatDuration(duration),
    least: whole,
    isSpare: true,
  },
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
export const activityDetail = (activity: Activity, style: Style): string => {
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
