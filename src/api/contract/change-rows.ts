/** What a change did to one field; `undefined` where the field was absent. */
export type ChangeRow = { field: string; before: unknown; after: unknown };

/** The fields that a change touched, nested ones as `a.b`; a value that is no object of fields has the field "". */
export const changeRows = (before: unknown, after: unknown, field = ""): ChangeRow[] => {
  if (!isFields(before) && !isFields(after))
    return asText(before) === asText(after) ? [] : [{ field, before, after }];
  // One side may be missing altogether, as when something was made or removed.
  if (isOther(before) || isOther(after)) return [{ field, before, after }];
  const [old, now] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name) => changeRows(old[name], now[name], field === "" ? name : `${field}.${name}`));
};

/** A recorded value as people read it, "" for one that was absent. */
export const asText = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

const isOther = (value: unknown): boolean => value !== undefined && value !== null && !isFields(value);
