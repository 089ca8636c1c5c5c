import { loadAppKey } from "#api/adapters/app-key.ts";
import { createAttemptGuard } from "#api/adapters/attempt-guard/index.ts";
import { createEventBus } from "#api/adapters/event-bus/index.ts";
import { createIdentityProviders } from "#api/adapters/identity-provider/create-identity-providers.ts";
import { createMailTransport } from "#api/adapters/mail-transport.ts";
import { createPasswordHasher } from "#api/adapters/password-hasher.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Services } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import { checkKey, hasKeyCheck } from "#api/db/key-check.ts";
import { migrate } from "#api/db/migrate.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { refusedStart } from "#api/db/refused-start.ts";
import { type ActivityWriter, createActivityWriter } from "#api/modules/activity/index.ts";
import { createMailDesk, createMailWorker, type MailWorker } from "#api/modules/mail/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "./config.ts";

/** Everything that runs, ready to be put behind a door. */
export type Runtime = {
  /** The services as operations see them, once the public origin is known. */
  services(appUrl: string): Services;
  database: DatabaseHandle;
  mailWorker: MailWorker;
  activityWriter: ActivityWriter;
  stop(): Promise<void>;
};

/**
 * Takes the database over as soon as it is open, migrates it, checks the key and builds the adapters. Throws `DataFolderInUseError`,
 * `UnusableKeyError` and what the database says when it cannot be opened; nothing stays open then.
 */
export const createRuntime = async (
  config: Config,
  log: Log,
  opening: Promise<DatabaseHandle>,
): Promise<Runtime> => {
  const clock = systemClock;
  const startedAt = clock.now();
  const database = await opening;
  try {
    await migrate(database);
    const key = loadAppKey(config, !(await hasKeyCheck(database.db)));
    const box = createSecretBox(key.root, key.previous ?? undefined);
    await checkKey(database.db, box);
    const events = await createEventBus(database, log);
    const hasher = createPasswordHasher();
    const attempts = createAttemptGuard({ clock, log, redisUrl: config.redisUrl });
    const transport = createMailTransport({ ...config, log });
    const mailWorker = createMailWorker({ db: database.db, clock, log, box, transport });
    const mail = createMailDesk({ box, clock, wake: mailWorker.wake });
    const activityWriter = createActivityWriter({
      db: database.db,
      clock,
      log,
      box,
      events,
      ...(database.kind === "embedded" ? { batchRows: embeddedBatchRows } : {}),
    });
    return {
      database,
      mailWorker,
      activityWriter,
      services: (appUrl) => ({
        db: database.db,
        lookups: database.lookups,
        database: { kind: database.kind, check: database.check, describe: database.describe },
        outbox: { transport: transport.kind, counts: mailWorker.counts },
        process: { version: packageJson.version, startedAt },
        clock,
        events,
        hasher,
        attempts,
        providers: createIdentityProviders({ config, appUrl, clock }),
        secrets: box,
        mail,
        activity: activityWriter.desk,
        contactEmail: config.contactEmail,
        log,
        appUrl,
      }),
      stop: async () => {
        await mailWorker.stop();
        await activityWriter.stop();
        await attempts.close();
        await events.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw (config.databaseUrl === null ? null : refusedStart(error, config.databaseUrl)) ?? error;
  }
};

// A batch keeps the one session of the embedded database for itself: 20 ms at most.
const embeddedBatchRows = 200;
