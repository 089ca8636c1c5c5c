import type { SecretBox } from "#api/core/context.ts";
import {
  type AccountSettings,
  accountSettings,
  type CoreSettings,
  coreSettings,
} from "#contract/core-settings.ts";
import {
  type CredentialSettings,
  credentialSettings,
  type SecretName,
} from "#contract/credential-settings.ts";
import {
  type EndpointSetting,
  endpointPathOf,
  type IdentifierSetting,
  isRecord,
  nested,
  type OpenOf,
  storedValues,
  valueAt,
} from "#contract/define-settings.ts";
import { serverOf } from "#contract/endpoints.ts";

const purpose = "settings";
const placeOf = (name: string): string => `setting_secrets:sealed:${name}`;

/** How the secrets of settings are sealed, for sealing them again with another key. */
export const secretSealing = { purpose, placeOf };

/** An opened secret, or why it could not be opened. */
type OpenedSecret = { value: string; fault: null } | { value: null; fault: string };

/**
 * A secret as it is stored. The server that it was entered for is sealed with it, so that someone who can write to the
 * table of endpoints still can't have it sent to another.
 */
export const sealSecret = (
  box: SecretBox,
  { name, value, endpoint }: { name: SecretName; value: string; endpoint: string },
): Uint8Array => {
  const plain = JSON.stringify([serverOf(endpoint), value]);
  return box.seal(purpose, placeOf(name), new TextEncoder().encode(plain));
};

/** The inverse of {@link sealSecret}, for the same name and server only. Never throws. */
export const openSecret = (
  box: SecretBox,
  { name, sealed, endpoint }: { name: SecretName; sealed: Uint8Array; endpoint: string },
): OpenedSecret => {
  try {
    const plain: unknown = JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(name), sealed)));
    const [server, value]: unknown[] = Array.isArray(plain) ? plain : [];
    if (typeof value !== "string") return { value: null, fault: "not_a_secret" };
    return server === serverOf(endpoint)
      ? { value, fault: null }
      : { value: null, fault: "for_another_server" };
  } catch (error) {
    // The caller continues without this secret, and reports it.
    const cause: unknown = Reflect.get(Object(error), "cause");
    const fault: unknown = Reflect.get(Object(cause), "fault");
    return { value: null, fault: typeof fault === "string" ? fault : "unreadable" };
  }
};

type OpenSetting = IdentifierSetting | EndpointSetting;
/** The stored plain fields of each service. */
export type Services = OpenOf<CredentialSettings>;
/** The stored secrets, by the path of their field. */
export const secretNames = credentialSettings.settings.flatMap(([path, { kind }]) =>
  // The type lists the same paths.
  kind === "secret" ? [path as SecretName] : [],
);

/** The stored plain fields of each service, by path. */
const openSettings = credentialSettings.settings.flatMap(([path, setting]) =>
  setting.kind === "identifier" || setting.kind === "endpoint" ? [[path, setting] as const] : [],
);

/** The services with these values. */
export const servicesWith = (read: (path: string, setting: OpenSetting) => unknown): Services => {
  const values: unknown = nested(openSettings.map(([path, setting]) => [path, read(path, setting)]));
  // All of them are there, nested as the type is.
  return values as Services;
};

/** A stored secret; `value` is `null` if it can't be opened. */
type StoredSecret = { value: string | null };

/** The stored plain values, by section. */
export type Sections = { core: CoreSettings; accounts: AccountSettings } & Services;
export const sectionNames = [
  "core",
  "accounts",
  "redis",
  "cloudflareR2",
] as const satisfies (keyof Sections)[];
export type SectionName = keyof Sections;

/** Something stored that can't be used: a section, or a secret. */
export type SettingFault = { setting: SectionName | SecretName; fault: string };

/** All stored settings, in one snapshot; `secrets` has no entry for what is not stored. */
export type StoredSettings = Sections & {
  generation: number;
  secrets: Partial<Record<SecretName, StoredSecret>>;
  faults: SettingFault[];
};

/** The values if nothing is stored. */
export const defaultSections: Sections = {
  core: coreSettings.defaults,
  accounts: accountSettings.defaults,
  ...servicesWith((path) => valueAt(credentialSettings.defaults, path)),
};

/** The endpoint that a secret is for. */
export const endpointOf = (name: SecretName, services: Services): string =>
  String(valueAt(services, endpointPathOf(credentialSettings, name) ?? ""));

/** How each section is read from its row; `null` if the row has never been a valid one. */
export const sectionReaders: { [Name in SectionName]: (value: unknown) => Sections[Name] | null } = {
  core: (value) => storedValues(coreSettings, value),
  accounts: (value) => storedValues(accountSettings, value),
  redis: (value) => storedService("redis", value),
  cloudflareR2: (value) => storedService("cloudflareR2", value),
};

/** Like {@link storedValues}, except that no one has saved a service without its endpoint. */
const storedService = <Name extends keyof Services>(service: Name, row: unknown): Services[Name] | null => {
  if (!isRecord(row)) return null;
  const values = servicesWith((path, { kind, default: standard }) => {
    const value = valueAt({ [service]: row }, path);
    return value === undefined && kind !== "endpoint" ? standard : value;
  });
  const isStorable = openSettings.every(([path, setting]) => {
    if (!path.startsWith(`${service}.`)) return true;
    const value = valueAt(values, path);
    if (typeof value !== "string") return false;
    return setting.kind === "endpoint" ? setting.isStorable(value) : setting.complaint(value, []) === null;
  });
  return isStorable ? values[service] : null;
};
