import type {
  Activity,
  ActivityDays,
  ActivityList,
  ActivityStats,
  Retention,
} from "#api/modules/activity/contract.ts";
import { activityColumns, activityDetail } from "#cli/activity-text.ts";
import { countOlder } from "#cli/count-older.ts";
import { formatCount } from "#cli/format.ts";
import { totalText } from "#cli/page-text.ts";
import { searchNotes } from "#cli/search-notes.ts";
import { type Column, formatTable, whole } from "#cli/table.ts";
import { activityId } from "#cli/whole-number.ts";
import { newestSearched } from "#contract/activity-rules.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import { cleanUpView, daysOrOff } from "./activity-cleanup.ts";
import { exportView } from "./activity-export.ts";
import { statsText } from "./activity-stats.ts";
import { verifyView } from "./activity-verify.ts";
import { listText, type View } from "./view.ts";

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
        last && activities.length === limit && !isEnd ? `; older ones with --before ${last.id}` : "";
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
            `Remove activities for good once they are older than ${days} ${days === 1 ? "day" : "days"}, as ${formatCount(await countOlder(client, days))} already are?`,
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
