import type { CoreSettingsChange, CredentialsChange } from "#contract/settings.ts";
import type { ChangeRow } from "./store.ts";

/** What the fields of a change that are not secret were before, by section, if any, and name, as a change would bring it. */
export const formerValues = ({
  fields,
}: Pick<ChangeRow, "fields">): CoreSettingsChange & CredentialsChange & { verification?: unknown } => {
  const former: Record<string, unknown> = {};
  for (const field of fields) {
    const [section, name] = field.path.split(".");
    if (field.isSecret || section === undefined) continue;
    former[section] =
      name === undefined ? field.before : { ...Object(former[section]), [name]: field.before };
  }
  return former;
};
