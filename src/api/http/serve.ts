import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Server } from "bun";
import { createApp } from "#api/app.ts";
import type { Config } from "#api/config.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { holdDataFolder } from "#api/db/hold-data-folder.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { createRetentionWorker } from "#api/modules/activity/index.ts";
import { issueSetupLink, sweepExpired } from "#api/modules/auth/index.ts";
import { renewSignatures, sweepPackages } from "#api/modules/plugins/index.ts";
import type { PluginStart } from "#api/plugin-host/create-plugins.ts";
import { prepareBundled } from "#api/plugin-host/prepare-bundled.ts";
import { createRuntime } from "#api/services.ts";
import { limits } from "#contract/limits.ts";
import { awaitFirewall, isGuarded } from "./await-firewall.ts";
import { loadPages } from "./pages.ts";

/** A server that answers. `setupLink` is the one-time link of an installation without users. */
export type RunningServer = {
  url: string;
  setupLink: string | null;
  /** Lets what is under way finish (10 s at most), then closes everything. */
  stop(): Promise<void>;
};

// With what comes after it, an orderly stop stays below ten seconds.
const drainMs = 9_000;
const latecomerMs = 100;
const sweepMs = 60 * 60 * 1000;

/** Starts everything on the database that is being opened, and listens on the configured address and on the operator's socket. */
export const serve = async (
  config: Config,
  log: Log,
  opening: Promise<DatabaseHandle>,
  pluginStart: PluginStart,
): Promise<RunningServer> => {
  // The embedded database's own process holds the folder otherwise.
  if (config.databaseUrl !== null) await holdDataFolder(config.dataDir);
  const runtime = await createRuntime(config, log, opening, pluginStart);
  try {
    const listener = Bun.serve({
      hostname: config.host,
      port: config.port,
      maxRequestBodySize: limits.uploadBytes * 2,
      idleTimeout: 15,
      fetch: () => new Response(null, { status: 503, headers: { "retry-after": "1" } }),
    });
    const appUrl = config.appUrl ?? `http://localhost:${listener.port}`;
    const services = runtime.services(appUrl);
    const app = createApp({
      services,
      pages: loadPages({ appUrl }),
      writeObstacle: runtime.database.writeObstacle,
      rateLimiter: runtime.rateLimiter,
      allowedHosts: config.allowedHosts,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      plugins: services.plugins.entrance,
    });
    const open = () =>
      listener.reload({
        fetch: (request, server) => {
          const peer = server.requestIP(request)?.address ?? "";
          return app.handle(request, { via: "tcp", peer, keepOpen: () => server.timeout(request, 0) });
        },
      });
    const mustWait = await isGuarded(services);
    if (!mustWait) open();
    const socket = listenOnSocket(config.controlSocket, (request) => app.handle(request, { via: "socket" }));
    runtime.mailWorker.start();
    runtime.activityWriter.start();
    runtime.storageWorker.start();
    await prepareBundled(services);
    const started = services.plugins.start();
    if (mustWait) {
      await awaitFirewall(services, started);
      open();
    }
    const setupLink = await issueSetupLink(services);
    const sweep = () =>
      Promise.all([sweepExpired(services), sweepPackages(services)]).catch((error) =>
        log.warn("sweeping failed", { error: describeError(error) }),
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
    return {
      url: `http://${urlHost(config.host)}:${listener.port}`,
      setupLink,
      stop: async () => {
        app.drain();
        clearInterval(sweeper);
        await Promise.all([settle(listener), settle(socket), retention.stop()]);
        rmSync(config.controlSocket, { force: true });
        app.stop();
        await runtime.stop();
        log.flush();
      },
    };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
};

/** Waits for requests under way, closes the door, and then all connections, idle ones too. */
const settle = async (server: Server<undefined>): Promise<void> => {
  const deadline = performance.now() + drainMs;
  const idle = async () => {
    while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(20);
  };
  await idle();
  // Right after new connections were taken in: the system resets those that wait at a door that closes.
  await new Promise(setImmediate);
  // Who came through just before has not asked yet.
  void server.stop();
  await Bun.sleep(latecomerMs);
  await idle();
  await server.stop(true);
};

/** The operator's socket: for the owner of the data folder alone, from its first instant. */
const listenOnSocket = (path: string, fetch: (request: Request) => Response | Promise<Response>) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // What lies there is left over: whoever gets here holds the lock of the data folder.
  rmSync(path, { force: true });
  const umask = process.umask(0o177);
  try {
    const options: Bun.Serve.Options<undefined> = { unix: path, fetch };
    // The owner's commands wait for long work that is silent, such as the removal of very many activities. The types
    // know this option for ports alone.
    Object.assign(options, { idleTimeout: 0 });
    const server = Bun.serve(options);
    chmodSync(path, 0o600);
    return server;
  } finally {
    process.umask(umask);
  }
};

const urlHost = (host: string): string => {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
};
