import type { SettingsChange } from "#api/modules/settings/contract.ts";

/** A change of settings with the paths that `settings get` and `settings set` take: the API names their first part once. */
export const typedChange = (change: SettingsChange): SettingsChange => {
  const typed = (path: string): string => `${change.section}.${path}`;
  return {
    ...change,
    fields: change.fields.map((field) => ({ ...field, path: typed(field.path) })),
    losesSecrets: change.losesSecrets.map(typed),
  };
};
