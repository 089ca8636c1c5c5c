import type { SecretName } from "#contract/credential-settings.ts";
import type { ChangedField } from "#contract/settings.ts";
import type { Sections, Services } from "./stored-settings.ts";

/** What a change of settings comes to: the fields that get another value, and what is to be written. */
export type SettingPlan = {
  fields: ChangedField[];
  /** The sections as they will be; only those that differ are there. */
  sections: Partial<Sections>;
  /** Secrets with their endpoint, `null` for those that go. */
  secrets: Partial<Record<SecretName, { value: string; endpoint: string } | null>>;
};

/** A change of credentials whose parts have been checked; what is absent stays. */
export type PlainCredentials = { [Name in keyof Services]?: Partial<Services[Name]> } & {
  /** `null` removes. */
  secrets: Partial<Record<SecretName, string | null>>;
};
