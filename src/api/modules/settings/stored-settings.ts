import { type AccountSettings, accountSettings } from "#contract/account-settings.ts";
import { type CoreSettings, coreSettings } from "#contract/core-settings.ts";
import { bucketComplaint, redisEndpointComplaint } from "#contract/credential-rules.ts";
import { storedValues } from "#contract/define-settings.ts";
import { splitRedisEndpoint } from "#contract/endpoints.ts";

/** The secrets that are stored, by the path of their field; each with the field of the endpoint that it is for. */
export const secretNames = [
  "redis.password",
  "cloudflareR2.token",
  "cloudflareR2.accessKeyId",
  "cloudflareR2.secretAccessKey",
] as const;
export type SecretName = (typeof secretNames)[number];

/** A stored secret; `value` is `null` when there is one that does not open. */
export type StoredSecret = { value: string | null };

/** What is stored that is not secret, by section. */
export type Sections = {
  core: CoreSettings;
  accounts: AccountSettings;
  redis: { endpoint: string };
  cloudflareR2: { bucket: string; endpointS3: string };
};
export const sectionNames = [
  "core",
  "accounts",
  "redis",
  "cloudflareR2",
] as const satisfies (keyof Sections)[];
export type SectionName = keyof Sections;

/** Something stored that cannot be used: a section, or a secret. */
export type SettingFault = { setting: SectionName | SecretName; fault: string };

/** All that is stored, as one moment's reading found it; `secrets` has no entry where nothing is stored. */
export type StoredSettings = Sections & {
  generation: number;
  secrets: Partial<Record<SecretName, StoredSecret>>;
  faults: SettingFault[];
};

/** What holds where nothing is stored. */
export const defaultSections: Sections = {
  core: coreSettings.defaults,
  accounts: accountSettings.defaults,
  redis: { endpoint: "" },
  cloudflareR2: { bucket: "", endpointS3: "" },
};

/** The endpoint that a secret is for. */
export const endpointOf = (
  name: SecretName,
  { redis, cloudflareR2 }: Pick<Sections, "redis" | "cloudflareR2">,
): string => (name === "redis.password" ? redis.endpoint : cloudflareR2.endpointS3);

/** How each section is read from its row; `null` when what stands there is not what was ever saved. */
export const sectionReaders: { [Name in SectionName]: (value: unknown) => Sections[Name] | null } = {
  core: (value) => storedValues(coreSettings, value),
  accounts: (value) => storedValues(accountSettings, value),
  redis: (value) => {
    const endpoint = fieldOf(value, "endpoint");
    const isUsable = typeof endpoint === "string" && redisEndpointComplaint(endpoint) === null;
    // A password has no business there: somebody else has written the row.
    if (!isUsable || (endpoint !== "" && splitRedisEndpoint(endpoint)?.password !== null)) return null;
    return { endpoint };
  },
  cloudflareR2: (value) => {
    const [bucket, endpointS3] = [fieldOf(value, "bucket"), fieldOf(value, "endpointS3")];
    if (typeof bucket !== "string" || bucketComplaint(bucket) !== null) return null;
    return typeof endpointS3 === "string" && /^(?:https?:\/\/[^\s/?#]+)?$/.test(endpointS3)
      ? { bucket, endpointS3 }
      : null;
  },
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
