import { join } from "node:path";
import { countedAttempts, createAttemptGuard } from "#api/adapters/attempt-guard/attempt-guard.ts";
import { breachFilterIn } from "#api/adapters/breached-passwords/build-filter.ts";
import { countedCache, createCache } from "#api/adapters/cache/create-cache.ts";
import { createEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import { openCountries } from "#api/adapters/geoip/open-countries.ts";
import {
  createIdentityProviders,
  environmentProviders,
  issuersOf,
} from "#api/adapters/identity-provider/create-identity-providers.ts";
import { testOpenIdProvider } from "#api/adapters/identity-provider/create-provider-test.ts";
import { withKeptImages } from "#api/adapters/kept-images.ts";
import { createMailTransport } from "#api/adapters/mail-transport.ts";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import { createObjectCache } from "#api/adapters/object-store/object-cache.ts";
import { openS3Bucket } from "#api/adapters/object-store/s3-client.ts";
import { isCallableHost } from "#api/adapters/outbound/check-address.ts";
import { createOutbound } from "#api/adapters/outbound/create-outbound.ts";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import { createRateLimiter, type RateLimiterOptions } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import { countedLimiter, type RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { rateLimiterTest } from "#api/adapters/rate-limit/rate-limiter-test.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { testRedisConnection } from "#api/adapters/redis/run-redis-checks.ts";
import { smtpServer } from "#api/adapters/smtp-failure.ts";
import { tracedBucket, tracedProvider, tracedTransport } from "#api/adapters/tracing/traced-adapters.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Services } from "#api/core/context.ts";
import { createHappenings } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { createCounter, type MetricSource } from "#api/core/metrics.ts";
import { programVersion } from "#api/core/program-version.ts";
import { noTracer, type Tracer } from "#api/core/tracer.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { traceQueries } from "#api/db/postgres/query-counter.ts";
import { endStart } from "#api/db/postgres/refused-start.ts";
import { watchDisk } from "#api/db/watch-disk.ts";
import { builtHomes } from "#api/http/pages/load-site.ts";
import { heldWhenWanted } from "#api/http/pages/open-page.ts";
import { type ActivityWriter, countInbox, createActivityWriter } from "#api/modules/activity/index.ts";
import { warnOfOtherIssuers } from "#api/modules/auth/index.ts";
import { findBackupDue, findLastBackup } from "#api/modules/backups/index.ts";
import {
  createMailQueue,
  createMailWorker,
  findOldestWaiting,
  type MailWorker,
} from "#api/modules/mail/index.ts";
import { createServiceStates, createSettingsService } from "#api/modules/settings/index.ts";
import { createStorage, type StorageWorker } from "#api/modules/storage/index.ts";
import { recordUpgrade } from "#api/modules/system/index.ts";
import { createPlugins, type PluginStart, type Plugins } from "#api/plugin-host/create-plugins.ts";
import { createPostgresRateCounter } from "#api/plugin-host/guard/postgres-rate-counter.ts";
import { createFirewallProbe } from "#api/plugin-host/native/native-host.ts";
import { startSandbox } from "#api/plugin-host/sandbox/start-sandbox.ts";
import { passkeyHost } from "#contract/passkeys.ts";
import { createBreachCheck } from "./adapters/breached-passwords/filter-file.ts";
import { createSiteCache, readSiteFile } from "./adapters/site-file.ts";
import { createMailTest } from "./adapters/test-smtp.ts";
import { createBackupService } from "./backups/backup-service.ts";
import type { Config } from "./config.ts";
import { databaseSource, pluginSource, serviceSources } from "./http/metrics/sources.ts";
import {
  beforeHooksOf,
  featureSettingsOf,
  loadFeatures,
  personalDataOf,
  refuseUnmigrated,
} from "./load-features.ts";
import { takeKey } from "./take-key.ts";

/** Everything that runs, ready to be put behind a door. */
export type Runtime = {
  /** The services as operations see them, once the public origin is known. */
  services(appUrl: string): Services & { plugins: Plugins };
  database: DatabaseHandle;
  mailWorker: MailWorker;
  activityWriter: ActivityWriter;
  storageWorker: StorageWorker;
  rateLimiter: RateLimiter;
  /** The parts that can be asked for figures. */
  metricSources(services: Services & { plugins: Plugins }): MetricSource[];
  stop(): Promise<void>;
};

/**
 * Takes the database over as soon as it is ready, checks the key and builds the adapters. Throws `UnusableKeyError`, and
 * what kept the database from being opened; nothing stays open then.
 */
export const createRuntime = async (
  config: Config,
  log: Log,
  opening: Promise<DatabaseHandle>,
  pluginStart: PluginStart & { isServer: boolean },
  tracer: Tracer = noTracer,
): Promise<Runtime> => {
  const clock = systemClock;
  const startedAt = clock.now();
  const database = await opening;
  const isTraced = tracer !== noTracer;
  if (isTraced || config.metricsToken !== null || config.metricsAddress !== null)
    database.queries.count(isTraced ? traceQueries(tracer) : null);
  try {
    const features = await loadFeatures();
    await refuseUnmigrated(database.db);
    const { key, box } = await takeKey(config, database.db);
    const link = createRedisLink({ clock, log });
    const events = await createEventBus({ handle: database, log, link });
    const happenings = createHappenings();
    const hasher = createPasswordHasher();
    const attempts = createAttemptGuard({ clock, link, secret: key.root });
    const looks = createCounter(["hit", "miss"]);
    const refusals = createCounter(["core", "plugins", "attempts"]);
    const cache = countedCache(createCache({ clock, link }), looks);
    const mailFrom = (): string => {
      if (config.isMailFromChosen) return config.mailFrom;
      return config.mailFrom.replace(/^.*(?= <)/, () => settings.service.current.site.name);
    };
    const transport = tracedTransport(createMailTransport({ ...config, mailFrom, log }), tracer);
    const mailWorker = createMailWorker({ db: database.db, clock, log, box, transport });
    const activityWriter = createActivityWriter({
      db: database.db,
      clock,
      log,
      box,
      events,
      ...(database.kind === "embedded" ? { batchRows: embeddedBatchRows } : {}),
    });
    await recordUpgrade({ db: database.db, clock, activity: activityWriter.recorder }, programVersion);
    // A command does not sign users in, and may have another environment than the server.
    if (pluginStart.isServer)
      await warnOfOtherIssuers({ db: database.db, log }, issuersOf(environmentProviders(config)));
    const siteCache = createSiteCache(join(config.dataDir, "cache/site.json"));
    const homePages = heldWhenWanted(() => builtHomes());
    const settings = await createSettingsService({
      db: database.db,
      clock,
      log,
      events,
      happenings,
      activity: activityWriter.recorder,
      box,
      redisUrl: config.redisUrl,
      s3Endpoints: config.s3Endpoints,
      siteCache,
      homePages,
      fixedSite: readSiteFile(config.siteFile, { kept: siteCache.kept.fixedSite, log, homePages }),
    });
    const storage = createStorage({
      db: database.db,
      clock,
      log,
      box,
      activity: activityWriter.recorder,
      settings: settings.service,
      cache: createObjectCache({ folder: join(config.dataDir, "cache/objects") }),
      openBucket: (target) =>
        tracedBucket(openS3Bucket(target, { otherOrigins: config.s3Endpoints }), tracer),
    });
    const createLimiter = (
      name: "core" | "plugins",
      more: Pick<RateLimiterOptions, "database"> = {},
    ): RateLimiter =>
      countedLimiter(createRateLimiter({ clock, link, secret: key.root, ...more }), () =>
        refusals.count(name),
      );
    const sharedCounter =
      database.kind === "postgres"
        ? { database: createPostgresRateCounter({ db: database.db, clock, log, secret: key.root }) }
        : {};
    const rateLimiter = createLimiter("core");
    const testRateLimiter = () =>
      rateLimiterTest(rateLimiter, {
        settings: settings.service.current.core.rateLimiting,
        redis: link.state(),
      });
    const backups = createBackupService({
      ...config,
      handle: database,
      objects: storage.objects,
      settings: settings.service,
      activity: activityWriter.recorder,
      clock,
      log,
      key: new TextDecoder().decode(key.root),
    });
    const firewall = createFirewallProbe();
    let plugins: Plugins | null = null;
    const testBucket = createBucketTest({ otherOrigins: config.s3Endpoints });
    const serviceStates = createServiceStates({
      settings: settings.service,
      clock,
      used: { redis: link.state, storage: storage.objects.state },
    });
    // Not sooner: by now every part has registered what a new connection needs.
    link.use(settings.service.current.redis);
    settings.service.subscribe(["redis"], ({ redis }) => link.use(redis));
    const disk = watchDisk(config.dataDir, log);
    return {
      database,
      mailWorker,
      activityWriter,
      storageWorker: storage.worker,
      rateLimiter,
      metricSources: (services) => [
        databaseSource(database),
        pluginSource(services.plugins),
        ...serviceSources(
          services,
          { cache: looks, refusals },
          {
            oldestMail: () => findOldestWaiting(database.db),
            activities: () => countInbox(database.db),
            lastBackup: () => findLastBackup(database.db),
            backupDue: () => findBackupDue(database.db, clock.now()),
          },
        ),
      ],
      services: (appUrl) => {
        const base: Omit<Services, "plugins"> = {
          db: database.db,
          lookups: database.lookups,
          database: {
            kind: database.kind,
            check: database.check,
            describe: database.describe,
            snapshots: database.snapshots,
          },
          disk,
          outbox: {
            transport: transport.kind,
            server: config.smtpUrl === null ? null : smtpServer(config.smtpUrl).name,
            get from() {
              return mailFrom();
            },
            counts: mailWorker.counts,
            health: mailWorker.health,
            hurry: mailWorker.hurry,
            test: createMailTest({ ...config, mailFrom, log }),
          },
          process: { version: programVersion, startedAt },
          clock,
          events,
          happenings,
          hasher,
          breachCheck: createBreachCheck({
            settings: settings.service,
            outbound: createOutbound({ deadlineMs: 2_000 }),
            filterPath: breachFilterIn(config.dataDir),
            log,
          }),
          attempts: countedAttempts(attempts, () => refusals.count("attempts")),
          providers: createIdentityProviders({
            ...{ config, appUrl, clock, settings: settings.service },
            wrap: tracedProvider(tracer),
          }),
          environmentProviders: environmentProviders(config),
          secrets: box,
          settings: settings.service,
          firewall,
          connectionTests: {
            redis: testRedisConnection,
            bucket: testBucket,
            rateLimiter: testRateLimiter,
            provider: testOpenIdProvider,
          },
          serviceStates,
          s3Endpoints: config.s3Endpoints,
          isCallableHost,
          mail: createMailQueue({ box, clock, wake: mailWorker.wake, settings: settings.service, appUrl }),
          activity: activityWriter.recorder,
          objects: withKeptImages(storage.objects, join(config.dataDir, "cache")),
          personalData: personalDataOf(features),
          beforeHooks: beforeHooksOf(features),
          featureSettings: featureSettingsOf(features),
          backups,
          cache,
          contactEmail: config.contactEmail,
          log,
          appUrl,
          passkeyHost: passkeyHost(appUrl) && (config.passkeyRpId ?? passkeyHost(appUrl)),
        };
        plugins = createPlugins(base, {
          config,
          ...pluginStart,
          isShared: database.kind === "postgres",
          // Keys of plugins must not crowd out those of the limit on calls.
          rateLimiter: createLimiter("plugins", sharedCounter),
          ...{ tracer, firewall },
          startSandbox,
          countryOf: openCountries(config.geoipDb, log),
        });
        return { ...base, plugins };
      },
      stop: async () => {
        disk.stop();
        await plugins?.stop();
        await backups.stop();
        settings.stop();
        await storage.worker.stop();
        await mailWorker.stop();
        await activityWriter.stop();
        await attempts.close();
        await events.close();
        await link.close();
        await database.close();
      },
    };
  } catch (error) {
    return endStart(error, { url: config.databaseUrl, close: database.close });
  }
};

// A batch keeps the one session of the embedded database for itself: 20 ms at most.
const embeddedBatchRows = 200;
