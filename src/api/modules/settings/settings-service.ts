import type { Clock } from "#api/core/clock.ts";
import type { SecretBox, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { OidcProvider } from "#api/core/providers.ts";
import type {
  BucketTarget,
  LiveSettings,
  ServiceStates,
  SettingFault,
  SettingsService,
  SiteCache,
  StoredSettings,
} from "#api/core/settings.ts";
import { shareRuns, within } from "#api/core/timing.ts";
import type { Writable } from "#api/core/writable.ts";
import { s3EndpointComplaint } from "#contract/credential-settings.ts";
import { decoded, plainServiceUrl, serverOf } from "#contract/endpoints.ts";
import { groupRoleIn, type ProviderSettings, scopesIn } from "#contract/provider-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { defaultSections, hasSettingsTable, readSettings, selectGeneration } from "./store.ts";

type SettingsServiceOptions = SettingsEnvironment &
  Pick<Services, "db" | "clock" | "log" | "events" | "happenings" | "activity"> & {
    box: SecretBox;
    siteCache?: SiteCache;
  } & Pick<SettingsService, "homePages">;

/** The settings of a process, until it stops. */
type RunningSettings = { service: SettingsService; stop(): void };

// Plugins may hear which section was changed; what is in it is not their business.
const toldSections = { core: ["core"], site: ["site"], credentials: ["redis", "bucket"] } as const;
const readMs = 3_000;
const pollMs = 1_000;

/**
 * Reads the settings and keeps them up to date: when notified, and every second while notifications of other replicas
 * don't arrive. A read that fails or takes long leaves everything as it is and is repeated. Resolves when the first
 * read is over, even if it failed: then the site is called what `siteCache` has kept.
 */
export const createSettingsService = async (options: SettingsServiceOptions): Promise<RunningSettings> => {
  const { db, box, log, events, happenings, siteCache } = options;
  const subscribers = new Set<Parameters<SettingsService["subscribe"]>>();
  const reportFaults = createFaultReporter(options);
  const site = siteCache?.kept.site ?? defaultSections.site;
  const nothing = {
    ...defaultSections,
    site,
    generation: 0,
    secrets: {},
    clientSecrets: {},
    features: { values: {}, secrets: {} },
    faults: [],
  };
  let isBehind = true;
  let isStopped = false;

  const tell = (former: LiveSettings): void => {
    for (const [parts, listener] of subscribers) {
      if (parts.every((part) => Bun.deepEquals(former[part], service.current[part]))) continue;
      try {
        listener(service.current);
      } catch (error) {
        log.error("a listener for settings failed", { error: describeError(error) });
      }
    }
  };

  const keepSite = ({ site, fixedSite }: LiveSettings): void => {
    if (siteCache === undefined || Bun.deepEquals({ site, fixedSite }, siteCache.kept, true)) return;
    try {
      siteCache.keep({ site, fixedSite });
    } catch (error) {
      log.warn("what the site is called could not be kept in the data folder", {
        error: describeError(error),
      });
    }
  };

  const use = (stored: StoredSettings): void => {
    reportFaults(stored.faults);
    const live = toLiveSettings(stored, options);
    keepSite(live);
    const former = service.current;
    if (JSON.stringify(live) === JSON.stringify(former)) return;
    service.current = live;
    tell(former);
  };

  const refresh = shareRuns(async () => {
    isBehind = true;
    const begun = service.current;
    const stored = await within(readMs, readSettings(db, box));
    isBehind = false;
    // What was saved here meanwhile may be newer than what was read.
    if (service.current === begun || stored.generation > service.current.generation) use(stored);
  });

  /** Never rejects; logs a failure once for all callers. */
  const catchUp = shareRuns(() =>
    refresh().catch((error) => {
      log.warn("the settings could not be read; the previous ones stay in effect", {
        error: describeError(error),
      });
    }),
  );

  const poll = async (): Promise<void> => {
    if (isStopped || (events.isConnected && !isBehind)) return;
    try {
      if (!isBehind && (await within(readMs, selectGeneration(db))) === service.current.generation) return;
      await refresh();
    } catch {
      // Others report that the database is away; the next turn tries again.
    }
  };

  const service: Writable<SettingsService> = {
    current: toLiveSettings(nothing, options),
    refresh,
    use: (stored) => {
      if (stored.generation > service.current.generation) use(stored);
    },
    homePages: () => options.homePages?.() ?? null,
    subscribe: (...subscriber) => {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
  };
  for (const [section, parts] of Object.entries(toldSections))
    service.subscribe(parts, () => happenings.tell({ name: "settings.changed", section }));
  const unsubscribe = events.subscribe(
    {
      "settings-changed": ({ generation }) => {
        if (generation !== service.current.generation) void catchUp();
      },
    },
    catchUp,
  );
  const timer = setInterval(() => void poll(), pollMs);
  timer.unref();
  await refresh().catch((error) => {
    log.error("the settings could not be read; defaults apply until they can be", {
      error: describeError(error),
    });
  });

  return {
    service,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
    },
  };
};

/** Reports what was found damaged. */
type FaultReporter = (faults: SettingFault[]) => void;

/** Reports each fault once to the operator's log and the admins' log, and again if it comes back. */
const createFaultReporter = ({
  clock,
  log,
  activity,
}: Pick<Services, "clock" | "log" | "activity">): FaultReporter => {
  let known = new Set<string>();
  return (faults) => {
    for (const { setting, fault } of faults.filter((found) => !known.has(keyOf(found)))) {
      const consequence = setting.includes(".") ? "it is treated as not set" : "its defaults apply";
      log.error("a stored setting cannot be used", {
        code: "SETTING_DAMAGED",
        severity: "critical",
        setting,
        fault,
        consequence,
      });
      activity.note({
        entry: {
          type: "suspicious_activity",
          status: "failure",
          severity: "critical",
          action: "Found a stored setting that cannot be used",
          description: `${setting}: ${fault.replaceAll("_", " ")}; ${consequence}`,
        },
        source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
        at: clock.now(),
      });
    }
    known = new Set(faults.map(keyOf));
  };
};

const keyOf = ({ setting, fault }: SettingFault): string => `${setting} ${fault}`;

type ServiceStatesParts = {
  settings: SettingsService;
  clock: Clock;
  /** The status of the services that are in use. */
  used: ServiceStates;
};

/**
 * The status of the external services. One that is saved with a secret that can't be opened is not used; it is reported
 * as away, with the reason, so that someone fixes it.
 */
export const createServiceStates = ({ settings, clock, used }: ServiceStatesParts): ServiceStates => {
  let { locked } = settings.current;
  let since = { redis: clock.now(), bucket: clock.now() };
  settings.subscribe(["locked"], ({ locked: next }) => {
    const now = clock.now();
    since = {
      redis: next.redis === locked.redis ? since.redis : now,
      bucket: next.bucket === locked.bucket ? since.bucket : now,
    };
    locked = next;
  });
  const away = (server: string, at: Date) => ({
    ...{ state: "away" as const, server, source: "settings" as const },
    ...{ since: at.toISOString(), reason: settingsTexts.secretLocked },
  });
  return {
    redis: () =>
      locked.redis === null
        ? used.redis()
        : away(serverOf(locked.redis).replace(/^\w+:\/\//, ""), since.redis),
    storage: async () => ({
      ...(await used.storage()),
      ...(locked.bucket === null ? {} : away(locked.bucket, since.bucket)),
    }),
  };
};

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
