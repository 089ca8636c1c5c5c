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
import { addressQuery, choice, type Param, pageParam, textParam } from "#ui/lib/address-query.ts";
import { isInRange } from "#ui/lib/calendar.ts";

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

const dayLength = 10;

// Several, separated by commas.
const choices = (known: readonly string[]): Param<string> => ({
  ...textParam(),
  read: (text) =>
    wordsIn(text ?? "")
      .filter((value) => known.includes(value))
      .join(","),
});

// Only what the fields of the dates can show.
const date: Param<string> = {
  ...textParam(),
  read: (text) => (text === null || readFilterDate(text) === null || !isInRange(dayOf(text), {}) ? "" : text),
};

const number: Param<number | null> = {
  read: (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) && number > 0 ? number : null;
  },
  write: (number) => number?.toString() ?? null,
};

const sizes = activityPageSizes.map(String);
const sizeParam = choice(sizes, String(activityPageSizes[1]));

const filterParams = {
  search: textParam(200),
  type: choices(activityTypes),
  // Any name: the plugin may be gone, its activities are not.
  pluginName: { ...textParam(), read: (name: string | null) => name ?? "" },
  status: choices(activityStatuses),
  severity: choices(activitySeverities),
  actorKind: choices(actorKinds),
  security: choice(["true"], ""),
  startDate: date,
  endDate: date,
};
const filters = addressQuery<ActivityFilters>(filterParams);
const viewQuery = addressQuery<ActivityView>({
  ...filterParams,
  page: pageParam,
  size: {
    read: (text) => Number(sizeParam.read(text)),
    write: (size) => sizeParam.write(String(size)),
    name: "limit",
  },
  before: number,
  isLive: { read: (text) => text === "1", write: (isLive) => (isLive ? "1" : null), name: "live" },
  activity: number,
});

/** Every activity. */
export const noFilters: ActivityFilters = filters.read(new URLSearchParams());

/** Reads the view from the address; what makes no sense counts as not given. */
export const readView = (address: URLSearchParams | string): ActivityView =>
  viewQuery.read(new URLSearchParams(address));

/** The view as a query for the address; what is at its default is left out. */
export const writeView = viewQuery.write;

/** The filters alone, as a query. */
export const filterQuery = filters.write;

/** The filters of an address that make no sense, or of which a part does not, as `name=value`. */
export const wrongFilters = (params: URLSearchParams): string[] => {
  const view = readView(params);
  return filterNames.flatMap((name) => {
    const given = (params.get(name) ?? "").trim();
    const isFine = given === "" || view[name] === wordsIn(given).join(",") || view[name] === given;
    return isFine ? [] : [`${name}=${given}`];
  });
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
