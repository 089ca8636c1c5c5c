import type { Server } from "bun";
import { tracedLog } from "#api/adapters/tracing/traced-adapters.ts";
import { createApp } from "#api/app.ts";
import { isScheduledName } from "#api/backups/backup-folder.ts";
import type { Config } from "#api/config.ts";
import type { Context, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { type FeatureJob, timesOf } from "#api/core/feature-server.ts";
import { newId } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { nextTurn, shrinkWhenIdle, within } from "#api/core/timing.ts";
import { noTracer } from "#api/core/tracer.ts";
import { openFolderComplaint } from "#api/db/embedded/errors.ts";
import { announceEnd } from "#api/db/embedded/lock.ts";
import type { DatabaseOpening } from "#api/db/open-database.ts";
import { endStart } from "#api/db/postgres/refused-start.ts";
import type { DeclaredRoutes } from "#api/declare-routes.ts";
import { type LoadedFeature, loadFeatures } from "#api/load-features.ts";
import { createRetentionWorker } from "#api/modules/activity/index.ts";
import { sweepExpired } from "#api/modules/auth/index.ts";
import { createBackupWorker } from "#api/modules/backups/index.ts";
import { anyGuards, renewSignatures, sweepPackages } from "#api/modules/plugins/index.ts";
import { type PluginStart, prepareBundled } from "#api/plugin-host/create-plugins.ts";
import { createScheduler } from "#api/plugin-host/dispatch/scheduler.ts";
import { sweepRateCounts } from "#api/plugin-host/guard/postgres-rate-counter.ts";
import { coreManagerName } from "#api/plugin-host/native/native-host.ts";
import { createRuntime } from "#api/services.ts";
import { limits } from "#contract/limits.ts";
import { isInvitedOnly } from "#contract/registration-rules.ts";
import { createCallObserver } from "../answers.ts";
import { listenForScrapes, openTelemetry } from "../metrics/open-telemetry.ts";
import { appSource } from "../metrics/sources.ts";
import { loadPages } from "../pages/pages.ts";
import {
  announceSetupLink,
  type ControlSocket,
  listenAfterDrain,
  openControlSocket,
  refuseNewConnections,
  startingAnswer,
} from "./listen.ts";

/** A server that answers. */
export type RunningServer = {
  url: string;
  /** Lets what is under way finish (10 s at most), then closes everything. */
  stop(): Promise<void>;
};

/** `onSetupLink` is called with the one-time link of an installation without users, as soon as there is one. */
export type ServeOptions = PluginStart & { routes: DeclaredRoutes; onSetupLink: (link: string) => void };

// With what comes after it, an orderly stop stays below ten seconds.
const drainMs = 8_800;
const latecomerMs = 200;
// Long enough for clients that reuse a connection to be told that it closes.
const farewellMs = 200;
const sweepMs = 60 * 60 * 1000;
const firstAnswersMs = 10;

/** Starts everything on the database that is being opened, and listens on the configured address and on the operator's socket. */
export const serve = async (
  config: Config,
  plainLog: Log,
  opening: DatabaseOpening,
  { routes, onSetupLink, ...pluginStart }: ServeOptions,
): Promise<RunningServer> => {
  const complaint = openFolderComplaint(config.dataDir);
  if (complaint !== null) plainLog.warn(complaint);
  const telemetry = await openTelemetry(config, plainLog);
  const { metrics, tracer } = telemetry;
  const log = tracer === noTracer ? plainLog : tracedLog(plainLog, tracer);
  const listeners = createServerListeners(config);
  // Probes see the process alive while it waits. An address in use is reported below.
  void opening.away.then(listeners.open).catch(() => {});
  const runtime = await createRuntime(
    config,
    log,
    opening.handle,
    { ...pluginStart, isServer: true },
    tracer,
  ).catch(async (error) => {
    await listeners.close();
    throw error;
  });
  try {
    const { listener, socket } = await listeners.open();
    const admit = holdRequests(listener);
    const appUrl = config.appUrl ?? `http://localhost:${listener.port}`;
    const services = runtime.services(appUrl);
    // Asked now, in the event loop's next turn, and waited for below: the database answers while the app is put together.
    const guarding = isGuarded(services);
    await nextTurn();
    const app = createApp(
      {
        services,
        pages: loadPages({
          appUrl,
          identity: () => services.settings.current.site,
          isClosed: () => isInvitedOnly(services.settings.current.accounts.registration),
        }),
        writeObstacle: runtime.database.writeObstacle,
        rateLimiter: runtime.rateLimiter,
        allowedHosts: config.allowedHosts,
        trustedProxies: config.trustedProxies,
        corsOrigins: config.corsOrigins,
        mcpEnabled: config.mcpEnabled,
        plugins: services.plugins.entrance,
        metrics: telemetry.endpoint,
        observer: createCallObserver({ metrics, tracer: tracer === noTracer ? null : tracer }),
      },
      routes,
    );
    let isOpen = false;
    for (const source of [
      appSource({ ...app, isStarting: () => !isOpen }),
      ...runtime.metricSources(services),
    ])
      metrics?.add(source);
    const scrapes =
      config.metricsAddress === null || metrics === null
        ? null
        : listenForScrapes({ ...config.metricsAddress, names: config.allowedHosts }, metrics);
    if (scrapes !== null) log.info("metrics are served", { url: scrapes.url });
    const open = () => {
      isOpen = true;
      admit((request, server) => {
        const peer = server.requestIP(request)?.address ?? "";
        return app.handle(request, { via: "tcp", peer, keepOpen: () => server.timeout(request, 0) });
      });
    };
    const mustWait = await guarding;
    if (mustWait) admit(startingAnswer);
    else open();
    // Requests that waited are answered first; from here on requests are answered between any two steps.
    await Bun.sleep(firstAnswersMs);
    socket.letIn((request) => app.handle(request, { via: "socket" }));
    for (const worker of [runtime.mailWorker, runtime.activityWriter, runtime.storageWorker]) {
      worker.start();
      await nextTurn();
    }
    await prepareBundled(services);
    const started = services.plugins.start();
    if (mustWait) {
      await awaitFirewall(services, started);
      open();
    }
    const sweep = () =>
      Promise.all([sweepExpired(services), sweepPackages(services), sweepRateCounts(services.db)]).catch(
        (error) => log.warn("sweeping failed", { error: describeError(error) }),
      );
    // What a server that was killed left behind.
    void sweepPackages(services).catch((error) =>
      log.warn("sweeping failed", { error: describeError(error) }),
    );
    // The operator may have pinned keys since.
    void renewSignatures(services).catch((error) =>
      log.warn("signatures of plugins could not be verified", { error: describeError(error) }),
    );
    const sweeper = setInterval(sweep, sweepMs);
    const retention = createRetentionWorker(services);
    retention.start();
    const featureJobs = startFeatureJobs(services, await loadFeatures());
    const backupWorker = createBackupWorker(services, isScheduledName);
    backupWorker.start();
    const endShrinking = shrinkWhenIdle();
    const endTelling = await announceSetupLink(services, { tell: onSetupLink });
    return {
      url: `http://${urlHost(config.host)}:${listener.port}`,
      stop: async () => {
        announceEnd(config.dataDir);
        app.drain();
        // With a delay, proxies that check readiness have stopped sending requests by then.
        await Bun.sleep(Math.max(config.stopDelayS * 1_000, farewellMs));
        clearInterval(sweeper);
        endShrinking();
        endTelling();
        // A server that waits for the port wants the address of the figures with it.
        const endScrapes = async () => scrapes?.stop();
        await Promise.all([
          ...[settle(listener, endScrapes), settle(socket.server)],
          ...[retention.stop(), backupWorker.stop(), featureJobs.stop()],
        ]);
        socket.remove();
        app.stop();
        await Promise.all([runtime.stop(), telemetry.close()]);
        log.flush();
      },
    };
  } catch (error) {
    const close = () => Promise.allSettled([listeners.close(), runtime.stop(), telemetry.close()]);
    return endStart(error, { url: config.databaseUrl, close });
  }
};

/**
 * Waits for requests under way, stops listening, and then closes all connections, idle ones too. A client that connected
 * before still gets an answer to what it sends by then. `beforeClosing` runs right before the port is released.
 */
const settle = async (server: Server<undefined>, beforeClosing = async () => {}): Promise<void> => {
  const deadline = performance.now() + drainMs;
  const idle = async () => {
    while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(20);
  };
  await idle();
  if (server.port !== undefined) refuseNewConnections(server.port);
  // A client that has just connected has sent nothing yet, and closing the listener ends idle connections.
  await Bun.sleep(latecomerMs);
  await idle();
  await beforeClosing();
  // Right after new connections were taken in: where newcomers could not be refused, the system resets those that wait.
  await nextTurn();
  void server.stop();
  await idle();
  await server.stop(true);
};

const urlHost = (host: string): string => {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
};

type Answering = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

const patienceMs = 5_000;

/**
 * Makes requests wait, and returns a function that lets them through, the waiting ones and all later ones. A proxy in
 * front sends the requests that it kept waiting at the moment the port opens, and would pass a refusal on to all of
 * them. Requests that waited `mostMs` are told that the server is starting.
 */
export const holdRequests = (
  listener: Server<undefined>,
  mostMs = patienceMs,
): ((answer: Answering) => void) => {
  const { promise, resolve } = Promise.withResolvers<Answering>();
  const given = () => Promise.race([promise, Bun.sleep(mostMs).then((): Answering => startingAnswer)]);
  listener.reload({ fetch: async (request, server) => (await given())(request, server) });
  return (answer) => {
    resolve(answer);
    listener.reload({ fetch: answer });
  };
};

/**
 * The configured address and the operator's socket. The first `open` opens both; until the server admits requests, they
 * answer that it is starting.
 */
type ServerListeners = {
  /** Rejects with `PortInUseError`, or with the system's error when the address or the socket can't be opened. */
  open(): Promise<OpenListeners>;
  /** Closes both after a failed start; they can't be opened again. */
  close(): Promise<void>;
};

type OpenListeners = { listener: Server<undefined>; socket: ControlSocket };

/** Where a server listens. */
type Place = { host: string; port: number; controlSocket: string };

/** Creates the listeners; `open` opens them. */
const createServerListeners = ({ host, port, controlSocket }: Place): ServerListeners => {
  let opening: Promise<OpenListeners> | null = null;
  let listener: Server<undefined> | null = null;
  let socket: ControlSocket | null = null;
  let isClosed = false;
  const refuseClosed = () => {
    if (isClosed) throw new Error("the server is closing");
  };
  const openBoth = async (): Promise<OpenListeners> => {
    const found = await listenAfterDrain({
      hostname: host,
      port,
      variable: "PORT",
      maxRequestBodySize: limits.uploadBytes * 2,
      idleTimeout: 15,
      fetch: startingAnswer,
    });
    listener = found;
    if (isClosed) await found.stop(true);
    refuseClosed();
    socket = openControlSocket(controlSocket);
    return { listener, socket };
  };
  return {
    open: async () => {
      refuseClosed();
      opening ??= openBoth();
      return opening;
    },
    close: async () => {
      isClosed = true;
      // First: the lock of the data folder is let go of beside this.
      socket?.remove();
      await Promise.all([listener?.stop(true), socket?.server.stop(true)]);
    },
  };
};

type Guarded = Pick<Services, "db" | "log"> & {
  plugins: Pick<Services["plugins"], "isSafeMode" | "converge">;
};

const firewallPatienceMs = 5_000;
const pauseMs = 250;

/**
 * Whether requests have to wait until the firewall and the rules of other plugins apply. While it is unknown whether
 * there are any, they have to.
 */
export const isGuarded = async ({ db, plugins, log }: Guarded): Promise<boolean> => {
  if (plugins.isSafeMode) return false;
  try {
    return await anyGuards({ db }, coreManagerName);
  } catch (error) {
    log.warn("it is unknown whether plugins have rules for requests: they could not be read", {
      error: describeError(error),
    });
    return true;
  }
};

/**
 * Resolves when the firewall runs, which `started` begins, or is known to be off, and the rules of all plugins are
 * read, so that no request gets past them after a start. What cannot be read is read again. A firewall that does not
 * start within five seconds must not keep the installation away; that is logged.
 */
export const awaitFirewall = async (
  { plugins, log }: Pick<Guarded, "plugins" | "log">,
  started: Promise<unknown>,
): Promise<void> => {
  try {
    await within(
      firewallPatienceMs,
      started.then(() => untilConverged(plugins)),
    );
  } catch (error) {
    log.error("the firewall or rules of plugins do not apply yet: requests are answered without them", {
      error: describeError(error),
    });
  }
};

const untilConverged = async (plugins: Guarded["plugins"]): Promise<void> => {
  for (const endsAt = performance.now() + firewallPatienceMs; ; await Bun.sleep(pauseMs)) {
    try {
      return await plugins.converge([coreManagerName]);
    } catch (error) {
      if (performance.now() + pauseMs >= endsAt) throw error;
    }
  }
};

// A server that dies keeps its lease: a job that takes longer may run on another server meanwhile.
const leaseMs = 10 * 60_000;
const jobsPatienceMs = 5_000;

/** What a job of a feature knows of the world; it acts as the operator. */
export const jobContext = (services: Services): Context => ({
  ...services,
  actor: { kind: "operator" },
  requestId: newId(),
  ip: "local",
  userAgent: null,
});

/**
 * Runs the jobs of features, each on one server at a time. One that throws is logged, and runs again when it is due next. With features,
 * a promise that failed and that nothing waits for is logged, too, instead of ending the server.
 * `stop` waits five seconds for those that are running.
 */
export const startFeatureJobs = (services: Services, features: readonly LoadedFeature[]) => {
  const scheduler = createScheduler({ ...services, replica: newId(), leaseMs });
  const running = new Set<Promise<void>>();
  const runOnce = async (feature: string, name: string, { run }: FeatureJob): Promise<void> => {
    // Also of one that throws before its first promise.
    const work = (async () => run(jobContext(services)))();
    running.add(work);
    await work
      .catch((error: unknown) => {
        services.log.error("a job of a feature failed", { feature, job: name, error: describeError(error) });
        throw error;
      })
      .finally(() => running.delete(work));
  };
  const tellOfLost = (error: unknown) =>
    services.log.error("a promise failed that nothing waits for: an await is missing", {
      error: describeError(error),
    });
  if (features.length > 0) process.on("unhandledRejection", tellOfLost);
  let isStopped = false;
  const open = async ({ name, server }: LoadedFeature): Promise<void> => {
    const jobs = await Promise.all(
      Object.entries(server.jobs ?? {}).map(async ([job, declared]) => ({
        ...(await timesOf(job, declared)),
        run: () => runOnce(name, job, declared),
      })),
    );
    if (jobs.length > 0 && !isStopped) scheduler.open(`own/${name}`, jobs);
  };
  for (const feature of features)
    open(feature).catch((error: unknown) =>
      services.log.error("the jobs of a feature could not be started", {
        ...{ feature: feature.name, error: describeError(error) },
      }),
    );
  return {
    stop: async (): Promise<void> => {
      isStopped = true;
      scheduler.stop();
      await within(jobsPatienceMs, Promise.allSettled(running)).catch(() => {});
      process.off("unhandledRejection", tellOfLost);
    },
  };
};
