import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { isSectionOfFeature } from "#contract/settings.ts";
import { selectSettings } from "./store.ts";
import {
  clientSecretOf,
  defaultSections,
  endpointOf,
  openSecret,
  type SectionName,
  type Sections,
  type SettingFault,
  type StoredSecret,
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
    site: read("site"),
    redis: read("redis"),
    cloudflareR2: read("cloudflareR2"),
    providers: read("providers"),
  };
  const open = (name: string, endpoint: string): StoredSecret | undefined => {
    const digits = rows.secrets[name];
    if (digits === undefined) return undefined;
    const sealed = new Uint8Array(Buffer.from(digits, "hex"));
    const { value, fault } = openSecret(box, { name, sealed, endpoint });
    if (fault !== null) faults.push({ setting: name, fault });
    return { value };
  };
  const secrets: StoredSettings["secrets"] = {};
  for (const name of secretNames) {
    const secret = open(name, endpointOf(name, sections));
    if (secret !== undefined) secrets[name] = secret;
  }
  const clientSecrets: Record<string, StoredSecret> = {};
  for (const [id, { issuer }] of Object.entries(sections.providers)) {
    const secret = open(clientSecretOf(id), issuer);
    if (secret !== undefined) clientSecrets[id] = secret;
  }
  const features = {
    values: Object.fromEntries(
      Object.entries(rows.sections).flatMap(([section, value]) =>
        isSectionOfFeature(section) ? [[section.replace("features.", ""), value]] : [],
      ),
    ),
    secrets: Object.fromEntries(
      Object.keys(rows.secrets).flatMap((name) =>
        isSectionOfFeature(name) ? [[name, open(name, "")?.value ?? null]] : [],
      ),
    ),
  };
  return { ...sections, generation: rows.generation, secrets, clientSecrets, features, faults };
};
