import { noteActivity } from "#api/core/activity.ts";
import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { csvRecord } from "#api/core/csv.ts";
import type { Database } from "#api/core/database.ts";
import { loggedPieces } from "#api/core/describe-error.ts";
import type { Download } from "#api/modules/download.ts";
import { newestSearched } from "#contract/activity.ts";
import type { Activity, ExportActivityInput } from "./contract.ts";
import { exportColumns, selectIds, selectRecords } from "./export-store.ts";
import { type ActivityFilter, readFilter } from "./filter.ts";
import { searchedPart } from "./read-activity.ts";
import { belowOf, findMatches, type Selection, selectByFilter } from "./selection-store.ts";
import { selectActivities, selectActivitiesById } from "./store.ts";

// Few at first, so that the download starts immediately; then as many as are made in a few milliseconds.
const firstRows = 100;
const pieceRows = 2_000;
// One batch is made while another is sent: no more is held in memory, even for a slow reader.
const piecesAtOnce = 2;

/**
 * A file of the activities that match now, newest first; `before` continues after another one. The export itself is
 * recorded, unless only its headers are requested. For admins and the operator. Throws a 422 for an end before the
 * start.
 */
export const exportActivity = async (
  ctx: Context,
  { format, limit, before, ...query }: ExportActivityInput,
): Promise<Download> => {
  requireAdmin(ctx);
  const pages = await openActivityPages(ctx, readFilter(query));
  // Before the file begins, so that an unavailable database still gets a proper error response.
  const first = await pages.activities({ before: before ?? null, limit: Math.min(limit, firstRows) });
  const form = forms[format];
  return {
    fileName: `plugin-activity-${ctx.clock.now().toISOString().slice(0, 10)}.${format}`,
    contentType: form.contentType,
    headers: boundsOf(query.search),
    pieces: loggedPieces(ctx, piecesOf(ctx, { pages, first, limit, form })),
    onSend: () =>
      noteActivity(ctx, {
        type: "api_call",
        action: "Exported the activity log",
        description: asWords(query, format),
      }),
  };
};

/** Header that says that more activities may match than were searched. */
const boundsOf = (search = ""): Record<string, string> => {
  const newest = newestSearched(search);
  return newest === null ? {} : { "x-atrium-searched-newest": String(newest) };
};

const asWords = (query: Record<string, string | undefined>, format: string): string => {
  const filters = Object.entries(query).flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
  return [`As ${format}`, ...filters].join(", ");
};

type FileForm = {
  contentType: string;
  head: string;
  line(activity: Activity): string;
  /** The lines of the activities with these numbers, which are newest first. */
  lines(db: Database, ids: readonly number[]): Promise<string>;
};

const csvLine = ({ changes, ...activity }: Activity): string => {
  const row = { ...activity, changes: changes === null ? null : JSON.stringify(changes) };
  return csvRecord(exportColumns.map((name) => row[name]));
};

const jsonLine = (activity: Activity): string => `${JSON.stringify(activity)}\n`;

const forms: Record<ExportActivityInput["format"], FileForm> = {
  csv: {
    contentType: "text/csv; charset=utf-8; header=present",
    head: csvRecord(exportColumns),
    line: csvLine,
    lines: async (db, ids) =>
      (await selectRecords(db, ids)) ?? (await selectActivitiesById(db, ids)).map(csvLine).join(""),
  },
  ndjson: {
    contentType: "application/x-ndjson; charset=utf-8",
    head: "",
    line: jsonLine,
    lines: async (db, ids) => (await selectActivitiesById(db, ids)).map(jsonLine).join(""),
  },
};

type FileParts = { pages: ActivityPages; first: Activity[]; limit: number; form: FileForm };

async function* piecesOf({ db }: Context, { pages, first, limit, form }: FileParts): AsyncGenerator<string> {
  const beginning = form.head + first.map(form.line).join("");
  if (beginning !== "") yield beginning;
  const left = limit - first.length;
  const last = first.at(-1);
  if (last === undefined || first.length < firstRows || left === 0) return;
  const ids = await pages.ids({ before: last.id, limit: left });
  const underWay: Promise<string>[] = [];
  for (let at = 0; at < ids.length; at += pieceRows) {
    const piece = form.lines(db, ids.slice(at, at + pieceRows));
    // The next read reports its failure; after the reader has gone, no one does.
    piece.catch(() => {});
    underWay.push(piece);
    if (underWay.length === piecesAtOnce) yield (await underWay.shift()) ?? "";
  }
  for (const piece of underWay) yield piece;
}

/** The next activities: `limit` of those with a number smaller than `before`, or of all for `null`. */
type NextPage = { before: number | null; limit: number };

/** What matched a filter at one moment, newest first: each activity once, even if new ones arrive. */
type ActivityPages = {
  /** For a few dozen at a time. */
  activities(page: NextPage): Promise<Activity[]>;
  /** For thousands at a time. */
  ids(page: NextPage): Promise<number[]>;
};

/** Opens what matches a filter for reading. A short search looks at the newest 10,000 rows, as in the list. */
export const openActivityPages = async (ctx: Context, filter: ActivityFilter): Promise<ActivityPages> => {
  await ctx.activity.settle();
  const selection = await selectByFilter(ctx.db, filter);
  return filter.search === "" ? pagesOf(ctx, selection) : searchedPages(ctx, selection, filter.search);
};

const pagesOf = ({ db }: Context, selection: Selection): ActivityPages => ({
  activities: ({ before, limit }) => selectActivities(db, belowOf(selection, before), { offset: 0, limit }),
  ids: ({ before, limit }) => selectIds(db, belowOf(selection, before), limit),
});

const searchedPages = ({ db }: Context, selection: Selection, search: string): ActivityPages => {
  const searched = searchedPart(selection, search);
  const ids = async ({ before, limit }: NextPage) =>
    (await findMatches(db, belowOf(searched, before), { search, limit })).map(({ id }) => id);
  return { activities: async (page) => selectActivitiesById(db, await ids(page)), ids };
};
