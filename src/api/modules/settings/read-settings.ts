import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { selectSettings } from "./store.ts";
import {
  defaultSections,
  endpointOf,
  openSecret,
  type SectionName,
  type Sections,
  type SettingFault,
  type StoredSettings,
  secretNames,
  sectionReaders,
} from "./stored-settings.ts";

/**
 * All stored settings in one snapshot. Unusable ones are no failure: a damaged section has its defaults, a secret that
 * can't be opened has no value, and `faults` names both.
 */
export const readSettings = async (db: Database, box: SecretBox): Promise<StoredSettings> => {
  const rows = await selectSettings(db);
  const faults: SettingFault[] = [];
  const read = <Name extends SectionName>(section: Name): Sections[Name] => {
    if (!Object.hasOwn(rows.sections, section)) return defaultSections[section];
    const value = sectionReaders[section](rows.sections[section]);
    if (value === null) faults.push({ setting: section, fault: "damaged" });
    return value ?? defaultSections[section];
  };
  const sections: Sections = {
    core: read("core"),
    accounts: read("accounts"),
    redis: read("redis"),
    cloudflareR2: read("cloudflareR2"),
  };
  const secrets: StoredSettings["secrets"] = {};
  for (const name of secretNames) {
    const digits = rows.secrets[name];
    if (digits === undefined) continue;
    const sealed = new Uint8Array(Buffer.from(digits, "hex"));
    const { value, fault } = openSecret(box, { name, sealed, endpoint: endpointOf(name, sections) });
    if (fault !== null) faults.push({ setting: name, fault });
    secrets[name] = { value };
  }
  return { ...sections, generation: rows.generation, secrets, faults };
};
