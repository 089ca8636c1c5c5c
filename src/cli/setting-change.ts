import type { SettingsChange } from "#api/modules/settings/contract.ts";
import type { ChangedField } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** A change by its number. Throws `NOT_FOUND`. */
export const findSettingChange = async (client: Client, id: number): Promise<SettingsChange> => {
  const page = await operationsOf(client).settings.history({ limit: 1, before: id + 1 });
  const [change] = page.data.changes;
  if (change?.id !== id) throw new CliFailure("NOT_FOUND", settingsTexts.unknownChange);
  return change;
};

/** One field of a change in words; of secrets only what was done with them. */
export const fieldText = (field: ChangedField): string =>
  `${field.path}${field.isSecret ? " " : ": "}${fieldFate(field)}`;

/** What became of a field. */
export const fieldFate = (field: ChangedField): string =>
  field.isSecret ? `was ${field.deed}` : `${valueText(field.before)} → ${valueText(field.after)}`;

const valueText = (value: string | number | boolean | null): string =>
  value === null || value === "" ? "none" : String(value);
