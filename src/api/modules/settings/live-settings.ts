import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { OidcProvider } from "#api/core/providers.ts";
import type { BucketTarget, LiveSettings } from "#api/core/settings.ts";
import { s3EndpointComplaint } from "#contract/credential-settings.ts";
import { decoded, plainServiceUrl } from "#contract/endpoints.ts";
import { groupRoleIn, type ProviderSettings, scopesIn } from "#contract/provider-settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { hasSettingsTable } from "./store.ts";
import { readSettings, type StoredSettings } from "./stored-settings.ts";

/** What the environment adds to what is stored. */
export type SettingsEnvironment = {
  /** A Redis server to use until an admin saves one; the URL can contain its password. */
  redisUrl: string | null;
  s3Endpoints: readonly string[];
  /** What the operator set of the site; nothing unless given. */
  fixedSite?: Partial<SiteSettings>;
};

/** The effective settings. A service with a secret that can't be opened is not used, and `locked` names it. */
export const toLiveSettings = (
  stored: StoredSettings,
  { redisUrl, s3Endpoints, fixedSite = {} }: SettingsEnvironment,
): LiveSettings =>
  frozen({
    generation: stored.generation,
    core: structuredClone(stored.core),
    accounts: { ...stored.accounts },
    site: { ...stored.site, ...fixedSite },
    fixedSite,
    redis: stored.redis.endpoint === "" ? environmentRedis(redisUrl) : storedRedis(stored),
    bucket: storedBucket(stored, s3Endpoints),
    providers: storedProviders(stored),
    features: stored.features,
    locked: {
      redis: stored.secrets["redis.password"]?.value === null ? stored.redis.endpoint || null : null,
      bucket: lockedBucket(stored, s3Endpoints),
    },
  });

const storedRedis = ({ redis, secrets }: StoredSettings): LiveSettings["redis"] => {
  const password = secrets["redis.password"];
  if (password?.value === null) return null;
  return { url: redis.endpoint, password: password?.value ?? null, source: "settings" };
};

/** The Redis server from the environment. */
export const environmentRedis = (redisUrl: string | null): LiveSettings["redis"] => {
  if (redisUrl === null) return null;
  const url = new URL(redisUrl);
  const password = url.password === "" ? null : (decoded(url.password) ?? url.password);
  url.password = "";
  return { url: url.href, password, source: "environment" };
};

const storedBucket = (
  { cloudflareR2: { bucket, endpointS3 }, secrets }: StoredSettings,
  s3Endpoints: readonly string[],
): BucketTarget | null => {
  const accessKeyId = secrets["cloudflareR2.accessKeyId"]?.value ?? "";
  const secretAccessKey = secrets["cloudflareR2.secretAccessKey"]?.value ?? "";
  // An endpoint that the operator has since removed from the list is not used.
  const isAccepted = endpointS3 !== "" && s3EndpointComplaint(endpointS3, s3Endpoints) === null;
  if (!isAccepted || bucket === "" || accessKeyId === "" || secretAccessKey === "") return null;
  // Objects are read and written without the token: a damaged one doesn't block them.
  const token = secrets["cloudflareR2.token"]?.value ?? null;
  return { endpoint: endpointS3, bucket, accessKeyId, secretAccessKey, token };
};

/** The endpoint of a completely saved bucket with a key that can't be opened. */
const lockedBucket = (stored: StoredSettings, s3Endpoints: readonly string[]): string | null => {
  const names = ["cloudflareR2.accessKeyId", "cloudflareR2.secretAccessKey"] as const;
  if (!names.some((name) => stored.secrets[name]?.value === null)) return null;
  const opened = Object.fromEntries(
    names.map((name) => [name, stored.secrets[name] && { value: stored.secrets[name].value ?? "locked" }]),
  );
  return storedBucket({ ...stored, secrets: opened }, s3Endpoints)?.endpoint ?? null;
};

const storedProviders = ({ providers, clientSecrets }: StoredSettings): OidcProvider[] =>
  Object.entries(providers)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([id, provider]) => {
      const secret = clientSecrets[id]?.value ?? null;
      return secret === null || !provider.isEnabled ? [] : [toOidcProvider(id, provider, secret)];
    });

/** A provider that an admin added, as it is used. */
export const toOidcProvider = (
  id: string,
  { label, issuer, clientId, scopes, claims, trustedDomains, ...rules }: ProviderSettings,
  clientSecret: string,
): OidcProvider => {
  const { maySignUp, signUpDomains, groupRoles, isFactorTrusted } = rules;
  const roles = groupRoles.map(groupRoleIn).filter((role) => role !== null);
  const lower = (domains: readonly string[]) => domains.map((domain) => domain.toLowerCase());
  return {
    ...{ id, label, clientId, clientSecret, claims: { ...claims } },
    issuer: plainServiceUrl(issuer) ?? issuer,
    scopes: scopesIn(scopes) ?? [],
    trustedDomains: lower(trustedDomains),
    rules: {
      ...{ maySignUp, isFactorTrusted },
      signUpDomains: signUpDomains.length === 0 ? null : lower(signUpDomains),
      groupRoles: roles.length === 0 ? null : roles,
    },
  };
};

const frozen = (settings: LiveSettings): LiveSettings => {
  Object.freeze(settings.core.rateLimiting);
  Object.freeze(settings.core.security);
  Object.freeze(settings.core);
  Object.freeze(settings.accounts);
  Object.freeze(settings.site);
  Object.freeze(settings.providers);
  Object.freeze(settings.locked);
  if (settings.redis !== null) Object.freeze(settings.redis);
  if (settings.bucket !== null) Object.freeze(settings.bucket);
  return Object.freeze(settings);
};

/** Looks up which bucket a start would use, in a database of this version or an older one; changes nothing. */
export const findBucket = async (
  db: Database,
  { box, s3Endpoints }: { box: SecretBox; s3Endpoints: readonly string[] },
): Promise<BucketTarget | null> => {
  if (!(await hasSettingsTable(db))) return null;
  return toLiveSettings(await readSettings(db, box), { redisUrl: null, s3Endpoints }).bucket;
};

/** The effective Redis server: one to use, or none, or one that was saved with a password that can't be opened. */
type FoundRedis = { target: LiveSettings["redis"]; lockedEndpoint: string | null };

/** Looks up which Redis server a start would use, in a database of this version or an older one; changes nothing. */
export const findRedis = async (
  db: Database,
  { box, redisUrl }: { box: SecretBox; redisUrl: string | null },
): Promise<FoundRedis> => {
  if (!(await hasSettingsTable(db))) return { target: environmentRedis(redisUrl), lockedEndpoint: null };
  const stored = await readSettings(db, box);
  const { redis: target, locked } = toLiveSettings(stored, { redisUrl, s3Endpoints: [] });
  return { target, lockedEndpoint: locked.redis };
};
