import type { Config } from "#api/config.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { nextTurn } from "#api/core/timing.ts";
import type { DatabaseHandle, DatabaseOpening } from "#api/db/open-database.ts";

/**
 * Loads the server and declares its routes, piece by piece: in between the database is opened and made ready, so that nothing
 * has to wait for it afterwards.
 */
export const loadServer = async () => {
  for (const load of pieces) {
    await nextTurn();
    await load();
  }
  const routes = await loadRoutes();
  await nextTurn();
  const { serve } = await import("#api/http/server/serve.ts");
  return { serve, routes };
};

/** Declares the routes of the product and of own features. Throws `UnusableFeatureError`. */
export const loadRoutes = async () => {
  const [{ declareRoutes }, { loadFeatures }] = await Promise.all([
    import("#api/declare-routes.ts"),
    import("#api/load-features.ts"),
  ]);
  await nextTurn();
  return declareRoutes(await loadFeatures());
};

/** What the server is made of, in parts that take about equally long. */
const pieces = [
  () => import("#api/door/door.ts"),
  () => import("#api/plugin-host/create-plugins.ts"),
  () => import("#api/services.ts"),
];

/** Begins to open the database, so that its process starts up while the rest of the product is still being loaded. */
const openLater = (settings: Config, log: Log): Promise<DatabaseHandle> => {
  const opening = Promise.all([import("#api/db/open-database.ts"), import("#api/core/clock.ts")]).then(
    ([{ openDatabase }, { systemClock }]) => openDatabase({ ...settings, log, clock: systemClock }),
  );
  // A failure is reported to the code that takes the database over; until then nothing handles it.
  opening.catch(() => {});
  return opening;
};

/** The same, made ready to be worked on. Without `mayChange` an empty database and an older version's are refused. */
export const openReady = async (
  settings: Config,
  log: Log,
  { mayChange }: { mayChange: boolean },
): Promise<DatabaseHandle> => {
  const [handle, { makeReady }] = await Promise.all([
    openLater(settings, log),
    import("#api/db/make-ready.ts"),
  ]);
  return makeReady(handle, {
    url: settings.databaseUrl,
    log,
    beforeChange: async (db) => {
      if (!mayChange) await (await import("#api/db/refuse-change.ts")).refuseChange(db, settings.databaseUrl);
      await refuseOtherKey(settings, db);
    },
  });
};

/** Loaded only where something is about to be changed. */
const refuseOtherKey = async (settings: Config, db: Database): Promise<void> =>
  (await import("#api/take-key.ts")).refuseOtherKey(settings, db);

/**
 * The same for a server, which waits for a PostgreSQL server that is not there yet, and for another process that migrates the
 * database; a signal ends the wait.
 */
export const openForServer = (settings: Config, log: Log): DatabaseOpening => {
  const away = Promise.withResolvers<void>();
  return { handle: openPatiently(settings, log, away.resolve), away: away.promise };
};

const openPatiently = async (settings: Config, log: Log, onAway: () => void): Promise<DatabaseHandle> => {
  if (settings.databaseUrl === null) return openReady(settings, log, { mayChange: true });
  const [{ awaitDatabase }, { onStopSignal }, { refuseOthersFolder, holdDataFolder }, { makeReady }] =
    await Promise.all([
      import("#api/db/postgres/await-database.ts"),
      import("./terminal/stop-signal.ts"),
      import("#api/db/data-folder.ts"),
      import("#api/db/make-ready.ts"),
    ]);
  // The key and the control socket lie there all the same.
  refuseOthersFolder(settings.dataDir);
  const endListening = onStopSignal(() => {
    log.info("stopped while waiting for the database");
    log.flush();
    process.exit(0);
  });
  // The embedded database's own process holds the folder otherwise.
  await holdDataFolder(settings.dataDir);
  const handle = await openLater(settings, log);
  await awaitDatabase(handle, { log, onAway });
  const ready = await makeReady(handle, {
    url: settings.databaseUrl,
    log,
    onWait: onAway,
    beforeChange: (db) => {
      // From here on the start completes, and a requested end stops the server right after it.
      endListening();
      return refuseOtherKey(settings, db);
    },
  });
  endListening();
  return ready;
};

const everyMs = 10_000;

/**
 * Logs that a start is still in progress, every ten seconds until the returned function is called: on a busy machine, a first start can
 * take minutes. `step` says what is being waited for at the moment.
 */
export const tellOfStart = (log: Pick<Log, "info">, step: () => string, pauseMs = everyMs): (() => void) => {
  const startedAt = performance.now();
  const timer = setInterval(
    () =>
      log.info("still starting", {
        step: step(),
        seconds: Math.round((performance.now() - startedAt) / 1_000),
      }),
    pauseMs,
  );
  return () => clearInterval(timer);
};
