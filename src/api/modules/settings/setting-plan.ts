import type { ChangedField } from "#contract/settings.ts";
import type { SecretName, Sections } from "./stored-settings.ts";

/** What a change of settings comes to: the fields that get another value, and what is to be written. */
export type SettingPlan = {
  fields: ChangedField[];
  /** The sections as they will be; only those that differ are there. */
  sections: Partial<Sections>;
  /** Secrets with their endpoint, `null` for those that go. */
  secrets: Partial<Record<SecretName, { value: string; endpoint: string } | null>>;
};

/** A change of credentials whose parts have been checked; what is absent stays. */
export type PlainCredentials = {
  redis: { endpoint?: string };
  cloudflareR2: { bucket?: string; endpointS3?: string };
  /** `null` removes. */
  secrets: Partial<Record<SecretName, string | null>>;
};

/** The field of a change of something that everybody may see, or nothing when it stays. */
export const changedField = <Value extends string | number | boolean>(
  path: string,
  before: Value,
  after: Value,
): ChangedField[] => (before === after ? [] : [{ path, isSecret: false, before, after }]);
