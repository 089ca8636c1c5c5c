import { type AccountSettings, accountSettings } from "#contract/account-settings.ts";
import {
  type CoreSettings,
  defaultCoreSettings,
  maxRequestsComplaint,
  windowComplaint,
} from "#contract/core-settings.ts";
import {
  bucketComplaint,
  limitMessageComplaint,
  redisEndpointComplaint,
} from "#contract/credential-rules.ts";
import { storedValues } from "#contract/define-settings.ts";
import { splitRedisEndpoint } from "#contract/endpoints.ts";
import type { FieldError } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings-texts.ts";

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
  core: defaultCoreSettings,
  accounts: accountSettings.defaults,
  redis: { endpoint: "" },
  cloudflareR2: { bucket: "", endpointS3: "" },
};

/** The endpoint that a secret is for. */
export const endpointOf = (
  name: SecretName,
  { redis, cloudflareR2 }: Pick<Sections, "redis" | "cloudflareR2">,
): string => (name === "redis.password" ? redis.endpoint : cloudflareR2.endpointS3);

/** Complaints about core settings, whichever way they came; paths as in the API. */
export const coreComplaints = ({ rateLimiting, security }: CoreSettings): FieldError[] => {
  const complaints: [string, string | null][] = [
    ["rateLimiting.windowMs", windowComplaint(rateLimiting.windowMs)],
    ["rateLimiting.maxRequests", maxRequestsComplaint(rateLimiting.maxRequests)],
    ["rateLimiting.skipAdminRoutes", switchComplaint(rateLimiting.skipAdminRoutes)],
    ["rateLimiting.skipPluginRoutes", switchComplaint(rateLimiting.skipPluginRoutes)],
    ["rateLimiting.enabled", switchComplaint(rateLimiting.enabled)],
    ["rateLimiting.message", messageComplaint(rateLimiting.message)],
    ["security.trustProxy", switchComplaint(security.trustProxy)],
    ["security.helmetEnabled", switchComplaint(security.helmetEnabled)],
    ["security.corsEnabled", switchComplaint(security.corsEnabled)],
  ];
  return complaints.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]));
};

const switchComplaint = (value: unknown) => (typeof value === "boolean" ? null : settingsTexts.switchInvalid);

const messageComplaint = (value: unknown) =>
  typeof value === "string" ? limitMessageComplaint(value) : settingsTexts.messageInvalid;

/** How each section is read from its row; `null` when what stands there is not what was ever saved. */
export const sectionReaders: { [Name in SectionName]: (value: unknown) => Sections[Name] | null } = {
  core: (value) => {
    const [rateLimiting, security] = [fieldOf(value, "rateLimiting"), fieldOf(value, "security")];
    if (!isRecord(rateLimiting) || !isRecord(security)) return null;
    // What an older version did not know yet has its default.
    const read: CoreSettings = {
      rateLimiting: overlay(defaultCoreSettings.rateLimiting, rateLimiting),
      security: overlay(defaultCoreSettings.security, security),
    };
    return coreComplaints(read).length === 0 ? read : null;
  },
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

/** The known fields of `stored` over `fallback`; whether they are of the right kind is the caller's to check. */
const overlay = <T extends Record<string, unknown>>(fallback: T, stored: Record<string, unknown>): T => {
  const known = Object.entries(stored).filter(([name]) => Object.hasOwn(fallback, name));
  return { ...fallback, ...Object.fromEntries(known) };
};
