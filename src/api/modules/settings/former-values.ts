import { nested } from "#contract/define-settings.ts";
import type { CredentialsChange } from "./contract.ts";
import type { ChangeRow } from "./store.ts";

/** What the fields of a change that are not secret were before, by section, if any, and name, as a change would bring it. */
export const formerValues = ({ fields }: Pick<ChangeRow, "fields">): CredentialsChange =>
  nested(fields.flatMap((field) => (field.isSecret ? [] : [[field.path, field.before]])));
