import type { Activity } from "./contract.ts";
import type { KindNames } from "./filter.ts";

/** A row of the table of activities, as queries that take `activityColumns` give it. */
export type ActivityRow = Pick<
  Activity,
  | "id"
  | "action"
  | "description"
  | "userId"
  | "userEmail"
  | "duration"
  | "occurrences"
  | "requestId"
  | "ip"
  | "userAgent"
> & {
  kindId: number;
  /** As PostgreSQL writes a `timestamptz`. */
  occurredAt: string;
  changes: string | null;
};

/** The activity that a row holds. Throws for a row whose kind is not among `kinds`: read the log's state after the row. */
export const toActivity = (row: ActivityRow, kinds: ReadonlyMap<number, KindNames>): Activity => {
  const kind = kinds.get(row.kindId);
  if (kind === undefined) throw new Error(`activity ${row.id} is of an unknown kind`);
  return {
    id: row.id,
    timestamp: new Date(row.occurredAt).toISOString(),
    pluginName: kind.pluginName,
    type: kind.type,
    action: row.action,
    description: row.description,
    status: kind.status,
    severity: kind.severity,
    actorKind: kind.actorKind,
    userId: row.userId,
    userEmail: row.userEmail,
    duration: row.duration,
    occurrences: row.occurrences,
    requestId: row.requestId,
    ip: row.ip,
    userAgent: row.userAgent,
    changes: row.changes === null ? null : readChanges(row.changes),
  };
};

/** Safe because only the log's writer writes that column, and a trigger refuses to change what it wrote. */
const readChanges = (text: string): Activity["changes"] => JSON.parse(text) as Activity["changes"];
