import type { ChangedField, SettingsChange } from "#contract/settings.ts";
import { type ChangeRow, fieldKey } from "./store.ts";

/**
 * A change as admins see it. It can be taken back when something of it is not secret and none of that was changed again:
 * `newest` has the number of the newest change of each field.
 */
export const toSettingsChange = (row: ChangeRow, newest: Map<string, number>): SettingsChange => {
  const visible = row.fields.filter(({ isSecret }) => !isSecret);
  return {
    id: row.id,
    at: row.changedAt.toISOString(),
    section: row.section,
    by: row.changedBy,
    fields: row.fields.map(inOrder),
    reverts: row.revertsId,
    canRevert:
      visible.length > 0 && visible.every((field) => (newest.get(fieldKey(row, field)) ?? row.id) === row.id),
  };
};

/** The database orders members by their length, people by what came first. */
const inOrder = (field: ChangedField): ChangedField => {
  if (field.isSecret) return { path: field.path, isSecret: true, deed: field.deed };
  const { path, isSecret, before, after } = field;
  return { path, isSecret, before, after };
};
