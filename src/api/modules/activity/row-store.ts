import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { Activity } from "./contract.ts";
import { kindsOfRows } from "./kinds-store.ts";
import { idList } from "./selection-store.ts";
import { type ActivityRow, toActivity } from "./to-activity.ts";

/**
 * The columns that `toActivity` reads, from the table under its own name. To order by them say `activities.id`: `id` alone
 * would be the number as it is sent, by which nothing is indexed.
 */
export const activityColumns = sql`activities.id::float8 as id, kind_id as "kindId", occurred_at as "occurredAt",
  action, description, user_id as "userId", user_email as "userEmail", duration_ms as duration, occurrences,
  request_id as "requestId", ip, user_agent as "userAgent", changes`;

/** The activity of that number, or `null`. */
export const findActivity = async (db: Database, id: number): Promise<Activity | null> => {
  const [activity] = await activitiesFrom(db, sql`where id = ${id}`);
  return activity ?? null;
};

/** The activities behind a number, oldest first. */
export const selectActivitiesAfter = (db: Database, after: number, limit: number): Promise<Activity[]> =>
  activitiesFrom(db, sql`where id > ${after} order by activities.id limit ${limit}`);

/** The activities of these numbers that are still there, newest first. */
export const selectActivitiesById = async (db: Database, ids: readonly number[]): Promise<Activity[]> =>
  ids.length === 0
    ? []
    : activitiesFrom(db, sql`where id = any(${idList(ids)}::bigint[]) order by activities.id desc`);

/** The activities that `rest` of a query over their table finds. */
export const activitiesFrom = async (db: Database, rest: SQL): Promise<Activity[]> => {
  const rows = await db.execute<ActivityRow>(sql`select ${activityColumns} from activities ${rest}`);
  const kinds = await kindsOfRows(db, rows);
  return rows.map((row) => toActivity(row, kinds));
};
