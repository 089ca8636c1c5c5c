import type { SecretName } from "#contract/credential-settings.ts";
import type { ChangedField } from "#contract/settings.ts";
import type { Sections, Services } from "./stored-settings.ts";

/** The effect of a change of settings: the fields that get another value, and what is to be written. */
export type SettingPlan = {
  fields: ChangedField[];
  /** The new sections; only those that differ. */
  sections: Partial<Sections> & { [feature: `features.${string}`]: object };
  /** Secrets with their endpoint, `null` for those that are removed. */
  secrets: { [name: string]: { value: string; endpoint: string } | null | undefined };
};

/** A checked change of credentials; absent fields stay. */
export type PlainCredentials = { [Name in keyof Services]?: Partial<Services[Name]> } & {
  /** `null` removes. */
  secrets: Partial<Record<SecretName, string | null>>;
};
