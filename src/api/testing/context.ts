import { createMemoryAttemptGuard } from "#api/adapters/attempt-guard/memory-attempt-guard.ts";
import { createCache } from "#api/adapters/cache/create-cache.ts";
import { isCallableHost } from "#api/adapters/outbound/check-address.ts";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Actor, Context, Mail, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { type AppEvent, createHappenings, type EventBus, silentEvents } from "#api/core/events.ts";
import type { LogFields } from "#api/core/log.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createDatabaseObjects } from "./database-objects.ts";
import { createFakePlugins } from "./fake-plugins.ts";
import { createFixedFirewall, createFixedSettings, noConnectionTests, noServices } from "./fixed-settings.ts";
import { createIdleBackups } from "./idle-backups.ts";
import { createQuietOutbox } from "./quiet-outbox.ts";

/** A context whose outside world is recorded: what was emailed, published and logged. */
export type TestContext = Context & {
  clock: TestClock;
  mails: Mail[];
  published: AppEvent[];
  logged: { level: string; message: string; fields: LogFields | undefined }[];
  /** The same world as another person sees it. */
  as(actor: Actor): TestContext;
};

/** The key of every test. */
export const testSecrets = createSecretBox(new Uint8Array(32).fill(7));

type OwnWorld = Pick<Services, "db" | "events" | "log" | "activity" | "settings"> & { clock: TestClock };

/** What services are alike in everywhere: there is room, nothing outside is asked, and the process began now. */
export const plainServices = ({ db, clock, events, log, activity, settings }: OwnWorld) =>
  ({
    db,
    lookups: db,
    database: {
      kind: "embedded",
      check: async () => {},
      describe: async () => ({ version: "test", sizeBytes: 0 }),
      snapshots: null,
    },
    disk: { read: () => ({ freeBytes: 100_000_000_000, isLow: false }) },
    outbox: createQuietOutbox(),
    process: { version: "0.0.0", startedAt: clock.now() },
    clock,
    events,
    happenings: createHappenings(),
    breachCheck: async () => "clean",
    attempts: createMemoryAttemptGuard({ clock }),
    secrets: testSecrets,
    settings,
    isCallableHost,
    activity,
    backups: createIdleBackups(),
    objects: createDatabaseObjects({ db, clock, log, secrets: testSecrets, activity, settings }),
    cache: createCache({ clock, link: createRedisLink({ clock, log }) }),
    log,
  }) satisfies Partial<Services>;

export type TestContextOptions = { db: Database; actor?: Actor; clock?: TestClock };

/** A context for operations over a test database: a visitor, unless told otherwise. Passwords are hashed for real. */
export const testContext = ({
  db,
  actor = { kind: "visitor" },
  clock = createTestClock(),
}: TestContextOptions): TestContext => {
  const mails: Mail[] = [];
  const published: AppEvent[] = [];
  const logged: TestContext["logged"] = [];
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void logged.push({ level, message, fields });
  const events: EventBus = {
    publish: (event) => void published.push(event),
    subscribe: () => () => {},
    isConnected: true,
  };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush: () => {} };
  // What is recorded is told too, but tests ask what operations tell.
  const { recorder: activity } = createActivityWriter({
    db,
    clock,
    log,
    box: testSecrets,
    events: silentEvents,
  });
  const settings = createFixedSettings();
  return {
    ...plainServices({ db, clock, events, log, activity, settings }),
    hasher: createPasswordHasher({ maxWaiting: 1_000 }),
    providers: new Map(),
    environmentProviders: [],
    firewall: createFixedFirewall(),
    connectionTests: noConnectionTests,
    serviceStates: noServices,
    s3Endpoints: [],
    contactEmail: null,
    mail: { enqueue: async (_tx, mail) => void mails.push(mail), wake: () => {} },
    plugins: createFakePlugins({ db, clock }),
    personalData: new Map(),
    beforeHooks: [],
    featureSettings: [],
    ...{ appUrl: "http://localhost:3000", passkeyHost: "localhost" },
    actor,
    requestId: "test",
    ip: "127.0.0.1",
    userAgent: "test",
    mails,
    published,
    logged,
    as(other) {
      return { ...this, actor: other };
    },
  };
};
