import type { CoreSettingsChange, CredentialsChange } from "#contract/settings.ts";
import type { ChangeRow } from "./store.ts";

/** What the fields of a change that are not secret were before, by section and name, as a change would bring it. */
export const formerValues = ({
  fields,
}: Pick<ChangeRow, "fields">): CoreSettingsChange & CredentialsChange => {
  const former: Record<string, Record<string, unknown>> = {};
  for (const field of fields) {
    const [section, name] = field.path.split(".");
    if (field.isSecret || section === undefined || name === undefined) continue;
    former[section] = { ...former[section], [name]: field.before };
  }
  return former;
};
