import { type Activity, formatDuration } from "#contract/activity.ts";
import { formatSecond } from "./format.ts";
import { printable, type Style } from "./output.ts";
import { type Column, whole } from "./table.ts";

/** The columns of a table of activities; what matters least comes last and gives way first. */
export const activityColumns = (style: Style): Column<Activity>[] => [
  { heading: "TIME", cell: ({ timestamp }) => formatSecond(timestamp), least: whole },
  { heading: "PLUGIN", cell: ({ pluginName }) => pluginName, least: 6, isSpare: true },
  { heading: "TYPE", cell: ({ type }) => type },
  { heading: "ACTION", cell: actionOf },
  {
    heading: "STATUS",
    cell: ({ status }) => status,
    paint: (text, { status }) => statusPaint(style)[status](text),
    least: whole,
  },
  {
    heading: "SEVERITY",
    cell: ({ severity }) => severity,
    paint: (text, { severity }) => severityPaint(style)[severity](text),
    least: whole,
  },
  { heading: "USER", cell: actorOf, isSpare: true },
  { heading: "DURATION", cell: ({ duration }) => formatDuration(duration), least: whole, isSpare: true },
  { heading: "ID", cell: ({ id }) => String(id), least: whole, isSpare: true },
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
