import type { ChangedField } from "#contract/settings.ts";
import type { SettingsChange } from "./contract.ts";
import { formerValues } from "./former-values.ts";
import { planCredentials } from "./plan-credentials.ts";
import { type ChangeRow, fieldKey } from "./store.ts";
import type { StoredSettings } from "./stored-settings.ts";

/** What a change stands in: the number of the newest change of each field, and what is stored at this moment. */
export type Present = { newest: Map<string, number>; stored: StoredSettings };

/**
 * A change as admins see it. It can be taken back when something of it is not secret and none of that was changed again;
 * secrets of an endpoint that would go by that would go as well.
 */
export const toSettingsChange = (row: ChangeRow, { newest, stored }: Present): SettingsChange => {
  const visible = row.fields.filter(({ isSecret }) => !isSecret);
  const canRevert =
    visible.length > 0 && visible.every((field) => (newest.get(fieldKey(row, field)) ?? row.id) === row.id);
  return {
    id: row.id,
    at: row.changedAt.toISOString(),
    section: row.section,
    by: row.changedBy,
    fields: row.fields.map(inOrder),
    reverts: row.revertsId,
    canRevert,
    losesSecrets: canRevert && row.section === "credentials" ? secretsLostBy(row, stored) : [],
  };
};

/** The secrets that are stored now and would be removed by taking the change back. */
const secretsLostBy = (row: ChangeRow, stored: StoredSettings): string[] => {
  const { fields } = planCredentials(stored, { ...formerValues(row), secrets: {} }, "removed");
  return fields.flatMap(({ path, isSecret }) => (isSecret ? [path] : []));
};

/** The database orders members by their length, people by what came first. */
const inOrder = (field: ChangedField): ChangedField => {
  if (field.isSecret) return { path: field.path, isSecret: true, deed: field.deed };
  const { path, isSecret, before, after } = field;
  return { path, isSecret, before, after };
};
