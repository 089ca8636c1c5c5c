import type { SecretName } from "#contract/credential-settings.ts";
import { keepsSecrets } from "#contract/endpoints.ts";
import type { FieldError } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { endpointOf, type StoredSettings } from "./stored-settings.ts";

/** The secret to test with, if any, and what stands against it. */
export type SecretForTest = { value: string | null; complaints: FieldError[] };

/**
 * The secret that was entered, or else the stored one if it is for the very server that is to be tested. It is a
 * complaint when the stored one is for another, or cannot be read.
 */
export const secretForTest = (
  stored: StoredSettings,
  { name, entered, endpoint }: { name: SecretName; entered: string | null | undefined; endpoint: string },
): SecretForTest => {
  if (entered !== undefined) return { value: entered, complaints: [] };
  const former = stored.secrets[name];
  if (former === undefined) return { value: null, complaints: [] };
  const path = name.slice(name.indexOf(".") + 1);
  const refused = (message: string) => ({ value: null, complaints: [{ path, message }] });
  if (!keepsSecrets(endpointOf(name, stored), endpoint)) return refused(settingsTexts.enterAgain);
  return former.value === null
    ? refused(settingsTexts.secretUnreadable)
    : { value: former.value, complaints: [] };
};
