#!/usr/bin/env bun
import type { MoveParts } from "#api/backups/plan-move.ts";
import type { Environment } from "#api/config/variable.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { programVersion } from "#api/core/program-version.ts";
import { databaseSubcommand } from "#api/db/embedded/child-messages.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { kitSubcommand, pluginSubcommand } from "#api/plugin-host/sandbox/messages.ts";
import type { Composition } from "./composition.ts";
import { loadRoutes, loadServer, openForServer, openReady, tellOfStart } from "./opening.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Where everything is put together. Modules are loaded when they are needed: the processes of the database and of
 * plugins get nothing but their own, and a command that asks a running server loads no server. `prepare` makes what a
 * server shows while its database is being opened; the executable has all of it.
 */
export const main = async (argv: string[], prepare = async (): Promise<void> => {}): Promise<void> => {
  // Libraries explain every failure at length otherwise, with what was sent to them: whatever the environment says, there
  // is no development mode.
  process.env.NODE_ENV = "production";
  if (argv[0] === databaseSubcommand) {
    const { runDatabaseChild } = await import("#api/db/embedded/child.ts");
    return runDatabaseChild(argv[1] ?? "");
  }
  if (argv[0] === pluginSubcommand) {
    const { runPluginChild } = await import("#api/plugin-host/sandbox/child/run-plugin-child.ts");
    return runPluginChild(argv[1] ?? "");
  }
  if (argv[0] === kitSubcommand) {
    const { runKit } = await import("#api/plugin-host/author/kit/run-kit.ts");
    return runKit();
  }
  const [{ runCli }, { processTerminal }, { withEnvFile }, compose] = await Promise.all([
    import("./run-cli.ts"),
    import("./terminal/terminal.ts"),
    import("#api/config/with-env-file.ts"),
    loadComposer(prepare),
  ]);
  const terminal = processTerminal(process.env);
  const environment = () => withEnvFile(process.cwd(), process.env);
  const pluginWords = async () =>
    (await loadShipped()).flatMap(({ manifest: { name: plugin, commands } }) =>
      commands === null ? [] : [{ plugin, commands }],
    );
  const cli = { terminal, environment, compose, pluginWords };
  process.exit(await runCli(argv, cli, programVersion));
};

/** Builds the product for an environment and a terminal. */
const loadComposer = async (prepare: () => Promise<void>) => {
  const [
    { controlSocketIn, readConfig, readDataDir },
    { describeConfig },
    { secretsIn },
    { hasEmbeddedDatabase },
    { refuseFile },
  ] = await Promise.all([
    import("#api/config.ts"),
    import("#api/config/describe-config.ts"),
    import("#api/config/describe-config.ts"),
    import("#api/db/has-embedded-database.ts"),
    import("#api/db/embedded/errors.ts"),
  ]);

  return (env: Environment, terminal: Terminal): Composition => {
    const dataDir = readDataDir(env);
    const config = () => readConfig(env, terminal.isOutputTerminal);

    const hasDatabase = () => config().databaseUrl !== null || hasEmbeddedDatabase(dataDir);

    /** Opens the database for the length of `work`. */
    const withDatabase = async <T>(work: (handle: DatabaseHandle, log: Log) => Promise<T>): Promise<T> => {
      const [{ openDatabase }, { systemClock }, log] = await Promise.all([
        import("#api/db/open-database.ts"),
        import("#api/core/clock.ts"),
        operatorLog(terminal, config().logLevel === "debug"),
      ]);
      const handle = await openDatabase({ ...config(), log, clock: systemClock });
      try {
        await handle.check();
        return await work(handle, log);
      } finally {
        await handle.close();
        log.flush();
      }
    };

    /** Opens the embedded database and the server at `targetUrl` for the length of `work`. */
    const withMove = async <T>(
      targetUrl: string,
      work: (parts: MoveParts, beside: { log: Log; clock: Clock }) => Promise<T>,
    ): Promise<T> => {
      const [{ withMoveParts }, { systemClock: clock }, log] = await Promise.all([
        import("#api/backups/plan-move.ts"),
        import("#api/core/clock.ts"),
        operatorLog(terminal, config().logLevel === "debug"),
      ]);
      const { appSecret, appSecretPrevious } = config();
      const settings = { appSecret, appSecretPrevious, dataDir, targetUrl, log, clock };
      return withMoveParts(settings, (parts) => work(parts, { log, clock })).finally(() => log.flush());
    };

    return {
      dataDir,
      controlSocket: controlSocketIn(dataDir),
      refuseFile: () => refuseFile(dataDir),
      config,
      describeConfig: () => describeConfig(env),
      secretTexts: () => secretsIn(env),
      hasDatabase,
      startServer: async ({ isSafeMode, onSetupLink }) => {
        const settings = config();
        const { createLogger } = await import("#api/adapters/logger/logger.ts");
        const log = createLogger({ level: settings.logLevel, format: settings.logFormat });
        const opening = openForServer(settings, log);
        opening.handle.catch(() => {});
        let isOpen = false;
        const endTelling = tellOfStart(log, () => (isOpen ? "loading the server" : "opening the database"));
        void opening.handle.then(
          () => {
            isOpen = true;
          },
          () => {},
        );
        const prepared = prepare();
        // A database that can't be opened is reported immediately; the server waits for one that is unavailable.
        const fault = opening.handle.then(() => prepared);
        const [{ serve, routes }, bundled] = await Promise.all([
          loadServer(),
          Promise.race([prepared, fault]).then(loadShipped),
        ]);
        const options = { isSafeMode, bundled, routes, onSetupLink };
        const server = await serve(settings, log, opening, options).finally(endTelling);
        log.flush();
        const stop = async () => {
          log.info(
            "stopping when requests in progress have finished; a second signal ends the server immediately",
          );
          log.flush();
          await server.stop();
          log.info("stopped");
          log.flush();
        };
        return { ...server, stop };
      },
      openApp: async ({ mayMake }) => {
        const settings = config();
        const [{ createRuntime }, { createApp }, routes, { startOnePlugin }, bundled, log] =
          await Promise.all([
            import("#api/services.ts"),
            import("#api/app.ts"),
            loadRoutes(),
            import("#api/plugin-host/create-plugins.ts"),
            loadShipped(),
            operatorLog(terminal, settings.logLevel === "debug"),
          ]);
        const pluginStart = { isSafeMode: false, bundled, isServer: false };
        const opening = openReady(settings, log, { mayChange: mayMake });
        const runtime = await createRuntime(settings, log, opening, pluginStart);
        const services = runtime.services(settings.appUrl ?? `http://localhost:${settings.port}`);
        const app = createApp(
          {
            ...settings,
            services,
            pages: { respond: () => new Response(null, { status: 404 }) },
            writeObstacle: runtime.database.writeObstacle,
            rateLimiter: runtime.rateLimiter,
            plugins: services.plugins.entrance,
          },
          routes,
        );
        return {
          handle: async (request) => app.handle(request, { via: "socket" }),
          startPlugin: (name) => startOnePlugin(services, name),
          close: async () => {
            app.stop();
            await runtime.stop();
            log.flush();
          },
        };
      },
      describeApi: async () => {
        const { appUrl, port } = config();
        const [{ describeRoutes }, { loadFeatures }] = await Promise.all([
          import("#api/app.ts"),
          import("#api/load-features.ts"),
        ]);
        return describeRoutes({
          version: programVersion,
          appUrl: appUrl ?? `http://localhost:${port}`,
          features: await loadFeatures(),
        })();
      },
      inspectDatabase: () =>
        withDatabase(async (handle) => {
          const { migrationStatus } = await import("#api/db/migrate.ts");
          return {
            kind: handle.kind,
            ...(await handle.describe()),
            migrations: await migrationStatus(handle),
          };
        }),
      supportFacts: async () => {
        const { peekSupport } = await import("#api/peek-redis.ts");
        return withDatabase(peekSupport);
      },
      inspectPostgres: async () => {
        const { databaseUrl } = config();
        if (databaseUrl === null) return null;
        const [{ inspectPostgres }, { refusedStart }] = await Promise.all([
          import("#api/db/postgres/inspect-postgres.ts"),
          import("#api/db/postgres/refused-start.ts"),
        ]);
        return inspectPostgres(databaseUrl).catch((error) => {
          throw refusedStart(error, databaseUrl) ?? error;
        });
      },
      listSnapshots: async () => {
        const { listSnapshots } = await import("#api/db/snapshots/snapshot-files.ts");
        const files = await listSnapshots(dataDir);
        return files.map(({ path: _, madeAt, ...file }) => ({ ...file, madeAt: madeAt.toISOString() }));
      },
      restoreSnapshot: async (name, ended) => {
        const [{ refuseOthersFolder, holdDataFolder }, { restoreSnapshot }] = await Promise.all([
          import("#api/db/data-folder.ts"),
          import("#api/db/snapshots/restore-snapshot.ts"),
        ]);
        refuseOthersFolder(dataDir);
        await holdDataFolder(dataDir);
        return restoreSnapshot({ dataDir, name, now: new Date(), ended });
      },
      buildBreachFilter: async (list, options) => {
        const [{ refuseOthersFolder }, { breachFilterIn, buildBreachFilter }] = await Promise.all([
          import("#api/db/data-folder.ts"),
          import("#api/adapters/breached-passwords/build-filter.ts"),
        ]);
        refuseOthersFolder(dataDir);
        const path = breachFilterIn(dataDir);
        return { passwords: await buildBreachFilter(path, list, options), path };
      },
      inspectBreachFilter: async () => {
        const [{ breachFilterIn }, { inspectFilter }] = await Promise.all([
          import("#api/adapters/breached-passwords/build-filter.ts"),
          import("#api/adapters/breached-passwords/filter-file.ts"),
        ]);
        return inspectFilter(breachFilterIn(dataDir));
      },
      packPlugin: async (folder) => {
        const { pluginTools } = await import("#api/plugin-host/author/plugin-tools.ts");
        return (await pluginTools.pack(folder)).zip;
      },
      backups: async () => {
        const [{ createOperatorBackups }, { systemClock }, log] = await Promise.all([
          import("#api/backups/operator-backups.ts"),
          import("#api/core/clock.ts"),
          operatorLog(terminal, config().logLevel === "debug"),
        ]);
        return createOperatorBackups({
          config: config(),
          log,
          clock: systemClock,
        });
      },
      pluginTools: async () => (await import("#api/plugin-host/author/plugin-tools.ts")).pluginTools,
      inspectRedis: async () => {
        const settings = config();
        const { peekRedis } = await import("#api/peek-redis.ts");
        if (!hasDatabase()) return peekRedis(settings, null);
        return withDatabase(({ db }) => peekRedis(settings, db));
      },
      migrationsOfNewDatabase: async () => (await import("#api/db/migrate.ts")).migrationsOfNewDatabase(),
      planMove: (url) =>
        withMove(url, async (parts) => (await import("#api/backups/plan-move.ts")).planMove(parts)),
      moveToPostgres: (url, watch) =>
        withMove(url, async (parts, beside) => {
          const { moveToPostgres } = await import("#api/backups/move-to-postgres.ts");
          return moveToPostgres(parts, { ...watch, ...beside });
        }),
      migrate: () =>
        withDatabase(async (handle, log) => {
          const [{ migrate, migrationStatus }, { thisProgram }, { refusedStart }, { tellOfWait }] =
            await Promise.all([
              import("#api/db/migrate.ts"),
              import("#api/db/migration-journal.ts"),
              import("#api/db/postgres/refused-start.ts"),
              import("#api/db/postgres/await-database.ts"),
            ]);
          const before = await migrationStatus(handle);
          await migrate(handle, { ...thisProgram, onWait: tellOfWait(log) }).catch((error) => {
            throw refusedStart(error, config().databaseUrl) ?? error;
          });
          const waited = before.filter(({ appliedAt }) => appliedAt === null).map(({ name }) => name);
          return { applied: waited, migrations: await migrationStatus(handle) };
        }),
    };
  };
};

/** The plugins that are part of this program. */
const loadShipped = async () => {
  const [{ shippedPlugins }, { firstPartyPlugins }] = await Promise.all([
    import("#api/plugin-host/package/shipped-packages.ts"),
    import("#plugins/first-party.ts"),
  ]);
  return shippedPlugins(firstPartyPlugins);
};

/** The log of a command that is no server: warnings, and with LOG_LEVEL=debug everything, beside its results. */
const operatorLog = async (terminal: Terminal, isVerbose: boolean) => {
  const { createLogger } = await import("#api/adapters/logger/logger.ts");
  return createLogger({
    level: isVerbose ? "debug" : "warn",
    format: terminal.isErrorTerminal ? "pretty" : "json",
    write: terminal.err,
  });
};

if (import.meta.main) void main(process.argv.slice(2));
