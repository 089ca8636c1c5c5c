import { pageActivityTexts } from "#contract/activity.ts";

/** Words of the page with the activity log. */
export const activityPageTexts = {
  title: "Activity",
  lead: "What plugins, users and the server did, newest first",
  refresh: "Auto-refresh",
  refreshNow: "Refresh",
  live: "Live",
  every30s: "Every 30 s",
  cleanUp: "Clean up",
  loading: "Loading activities",
  table: "Activities",
  user: "User",
  newer: (count: string, isOne: boolean) => (isOne ? "1 new activity" : `${count} new activities`),
  shortSearch: (rows: string) =>
    `A search this short only covers the newest ${rows} activities. Enter at least three letters to search older ones.`,
  pageSize: "Rows per page",
  none: pageActivityTexts.none,
  noneText: "Actions by plugins, users and the server appear here.",
  wrongFilters: (filters: string) => `Removed from the URL because no filter has this value: ${filters}`,
  noMatchText: "No activity matches the filters.",
  beyondText: "There are not that many pages.",
  showAll: "Show all activities",
  toFirst: "Go to the first page",
} as const;

/** Words of the numbers above the list. */
export const tileTexts = {
  label: "Summary",
  total: "Activities",
  totalHint: "in the entire log",
  filteredHint: "matching the filters",
  recent: "Last 24 hours",
  recentHint: "since this time yesterday",
  failures: "Failures",
  security: "Security events",
  securityHint: "critical or permissions",
} as const;

/** Words of the chart. */
export const chartTexts = {
  title: "Activities of the last 30 days",
  hint: "Select a day to see only that day. Days start at midnight UTC.",
  failed: "The chart could not be loaded.",
} as const;

/** Words of what narrows the list down. */
export const filterTexts = {
  title: "Filters",
  active: (count: number) => `${count} active`,
  reset: "Reset",
  show: "Show",
  hide: "Hide",
  searchHint: "Any column, or a request ID",
  type: "Type",
  anyType: "Any type",
  plugin: "Plugin",
  anyPlugin: "Any plugin",
  status: "Status",
  anyStatus: "Any status",
  severity: "Severity",
  anySeverity: "Any severity",
  actor: "Who",
  anyActor: "Anyone",
  security: "Security events",
  anyEvent: "All events",
  start: "Start date",
  end: "End date",
  from: (moment: string) => `From ${moment}`,
  until: (moment: string) => `Until ${moment}`,
} as const;

/** Words of saving the log as a file. */
export const exportTexts = {
  label: "Export",
  more: "Formats to export",
  csv: "CSV, for spreadsheets",
  ndjson: "NDJSON, for programs",
  hint: (most: string) =>
    `The filtered activities, newest first, up to ${most}. Use the command line to export the entire log.`,
} as const;

/** Words of the details of one activity. */
export const detailTexts = {
  title: "Activity",
  times: (count: string) => `${count} times within a minute`,
  noChanges: "No recorded values changed.",
  field: "Field",
  before: "Before",
  after: "After",
  value: "Value",
  absent: "none",
  sameUser: "This user",
  samePlugin: "This plugin",
  sameAddress: "This IP address",
  more: "Show all activity of",
} as const;

/** Words of removing old activities. */
export const cleanupTexts = {
  title: "Clean up old activities",
  lead: "Old activities are permanently deleted. Export what you need first.",
  days: "Older than (days)",
  counting: "Counting…",
  removes: (count: string, isOne: boolean, day: string) =>
    `${isOne ? "1 activity" : `${count} activities`} from before ${day} will be deleted.`,
  removesNone: (day: string) => `There are no activities from before ${day}.`,
  uncounted: (day: string) => `All activities from before ${day} will be deleted.`,
  type: "Type “clean up” to confirm",
  word: "clean up",
  mismatch: "This doesn't match “clean up”",
  close: "Close",
  retention: "Automatic cleanup",
  keep: "Keep activities for (days)",
  keepHint: "Older activities are deleted automatically and permanently. Leave empty to keep everything.",
  forever: "Forever",
  save: "Save",
  saveFailed: "The setting could not be saved",
  loadFailed: "The setting could not be loaded",
} as const;
