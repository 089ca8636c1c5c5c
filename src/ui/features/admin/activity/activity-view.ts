import {
  activityFilterNames,
  activityPageSizes,
  activitySeverities,
  activityStatuses,
  activityTypes,
  actorKinds,
  readFilterDate,
  wordsIn,
} from "#contract/activity.ts";
import { isInRange } from "#ui/lib/calendar.ts";
import { readFilters, writeFilters } from "../list-parts.tsx";

/** What can narrow the log down, named as the API names it. */
const filterNames = ["search", ...activityFilterNames, "security", "startDate", "endDate"] as const;
type FilterName = (typeof filterNames)[number];

/**
 * The filters; empty ones are off. Choices may be several, separated by commas; `security` is `true` for security events
 * alone; dates are days or moments (ISO 8601).
 */
export type ActivityFilters = Record<Exclude<FilterName, "security">, string> & { security: "true" | "" };

/** What the page shows, as the address bar holds it. */
export type ActivityView = ActivityFilters & {
  page: number;
  size: number;
  /** Only rows with a smaller number are paged through, so that arriving ones move nothing. */
  before: number | null;
  /** The activity whose details are open. */
  activity: number | null;
  /** Whether newer activities are to appear automatically. */
  isLive: boolean;
};

/** Every activity. */
export const noFilters: ActivityFilters = {
  search: "",
  type: "",
  pluginName: "",
  status: "",
  severity: "",
  actorKind: "",
  security: "",
  startDate: "",
  endDate: "",
};

const defaultSize = activityPageSizes[1];
const searchLength = 200;
const dayLength = 10;

/** Reads the view from the address; what makes no sense counts as not given. */
export const readView = (address: URLSearchParams | string): ActivityView => {
  const params = new URLSearchParams(address);
  const { search, page } = readFilters(params);
  const size = Number(params.get("limit"));
  const choices = (name: FilterName, known: readonly string[]) =>
    wordsIn(params.get(name) ?? "")
      .filter((value) => known.includes(value))
      .join(",");
  return {
    search: search.slice(0, searchLength),
    type: choices("type", activityTypes),
    // Any name: the plugin may be gone, its activities are not.
    pluginName: params.get("pluginName") ?? "",
    status: choices("status", activityStatuses),
    severity: choices("severity", activitySeverities),
    actorKind: choices("actorKind", actorKinds),
    security: params.get("security") === "true" ? "true" : "",
    startDate: readDate(params.get("startDate")),
    endDate: readDate(params.get("endDate")),
    page,
    size: activityPageSizes.find((known) => known === size) ?? defaultSize,
    before: readNumber(params.get("before")),
    activity: readNumber(params.get("activity")),
    isLive: params.get("live") === "1",
  };
};

/** The filters of an address that make no sense, or of which a part does not, as `name=value`. */
export const wrongFilters = (params: URLSearchParams): string[] => {
  const view = readView(params);
  return filterNames.flatMap((name) => {
    const given = (params.get(name) ?? "").trim();
    const isFine = given === "" || view[name] === wordsIn(given).join(",") || view[name] === given;
    return isFine ? [] : [`${name}=${given}`];
  });
};

// Only what the fields of the dates can show.
const readDate = (text: string | null): string =>
  text === null || readFilterDate(text) === null || !isInRange(dayOf(text), {}) ? "" : text;

const readNumber = (text: string | null): number | null => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
};

/** The view as a query for the address; what is at its default is left out. */
export const writeView = (view: ActivityView): URLSearchParams => {
  const params = filterQuery(view);
  for (const [name, value] of writeFilters({ search: "", page: view.page })) params.set(name, value);
  if (view.size !== defaultSize) params.set("limit", String(view.size));
  if (view.before !== null) params.set("before", String(view.before));
  if (view.isLive) params.set("live", "1");
  if (view.activity !== null) params.set("activity", String(view.activity));
  return params;
};

/** The filters alone, as a query. */
export const filterQuery = (filters: ActivityFilters): URLSearchParams => {
  const params = new URLSearchParams();
  for (const name of filterNames) if (filters[name] !== "") params.set(name, filters[name]);
  return params;
};

/** The choices among the filters, as the API takes them. */
export const choiceInput = (filters: ActivityFilters) => ({
  type: filters.type || undefined,
  pluginName: filters.pluginName || undefined,
  status: filters.status || undefined,
  severity: filters.severity || undefined,
  actorKind: filters.actorKind || undefined,
  security: filters.security || undefined,
});

/** All filters, as the API takes them. */
export const filterInput = (filters: ActivityFilters) => ({
  search: filters.search || undefined,
  ...choiceInput(filters),
  startDate: filters.startDate || undefined,
  endDate: filters.endDate || undefined,
});

/** What to ask the API for the page that the view shows. */
export const listInput = (view: ActivityView) => ({
  ...filterInput(view),
  limit: view.size,
  offset: (view.page - 1) * view.size,
  before: view.before ?? undefined,
});

/** Says which list a view shows, whatever else it shows. */
export const listQuery = (view: ActivityView): string =>
  writeView({ ...view, activity: null, isLive: false }).toString();

/** The view with other filters, from its first page. */
export const withFilters = (view: ActivityView, change: Partial<ActivityFilters>): ActivityView => ({
  ...view,
  ...change,
  page: 1,
  before: null,
});

/**
 * The view turned to a page: later ones hold on to what was the newest activity (`newestId`) when page 1 was left,
 * page 1 itself is always that of the moment.
 */
export const turnedTo = (view: ActivityView, page: number, newestId: number | undefined): ActivityView => {
  if (page === 1) return { ...view, page, before: null };
  // Paging from someone's deep link without `before`: the first row here is not the newest of all.
  const before = view.page === 1 && newestId !== undefined ? newestId + 1 : view.before;
  return { ...view, page, before };
};

/** How many filters are on. */
export const countFilters = (filters: ActivityFilters): number =>
  filterNames.filter((name) => filters[name] !== "").length;

/** The day (UTC) of a date filter, "" for none. */
export const dayOf = (date: string): string => date.slice(0, dayLength);

/** Whether a date filter is a moment within its day. */
export const isMoment = (date: string): boolean => date.length > dayLength;
