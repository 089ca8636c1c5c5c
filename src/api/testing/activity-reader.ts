import { asc, eq, gt } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import { activities, activityKinds } from "#api/db/schema.ts";

/** A row of the activity log with the names of its kind. */
export type LoggedActivity = Omit<typeof activities.$inferSelect, "kindId" | "hash" | "search"> &
  Omit<typeof activityKinds.$inferSelect, "id" | "rows" | "lastId">;

/** Gives the activities that were recorded since it was last called, oldest first; the first time all. */
export const createActivityReader = ({ db, activity }: Pick<Services, "db" | "activity">) => {
  let seen = 0;
  return async (): Promise<LoggedActivity[]> => {
    await activity.settle();
    const found = await db
      .select()
      .from(activities)
      .innerJoin(activityKinds, eq(activityKinds.id, activities.kindId))
      .where(gt(activities.id, seen))
      .orderBy(asc(activities.id));
    seen = found.at(-1)?.activities.id ?? seen;
    return found.map(
      ({ activities: { kindId: _, hash: __, search: ___, ...row }, activity_kinds: kind }) => ({
        ...row,
        ...namesOf(kind),
      }),
    );
  };
};

const namesOf = ({ pluginName, type, status, severity, actorKind }: typeof activityKinds.$inferSelect) => ({
  pluginName,
  type,
  status,
  severity,
  actorKind,
});
