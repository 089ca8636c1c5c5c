/** The server as it is while the events of other replicas do not arrive: each request reads its session again. */
import { createLogger } from "#api/adapters/logger/logger.ts";
import { createApp } from "#api/app.ts";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { EventBus } from "#api/core/events.ts";
import { makeReady } from "#api/db/make-ready.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { createRuntime } from "#api/services.ts";

const config = readConfig(process.env, false);
const log = createLogger({ level: config.logLevel, format: config.logFormat });
const opening = openDatabase({ ...config, log, clock: systemClock }).then((handle) =>
  makeReady(handle, { url: config.databaseUrl, log }),
);
const runtime = await createRuntime(config, log, opening, { isSafeMode: true, bundled: [], isServer: false });
const listener = Bun.serve({ hostname: config.host, port: config.port, fetch: () => new Response(null) });
const services = runtime.services(listener.url.origin);
const { publish, subscribe } = services.events;
const events: EventBus = { publish, subscribe, isConnected: false };
const app = createApp({
  ...config,
  services: { ...services, events },
  pages: { respond: () => new Response(null, { status: 404 }) },
  writeObstacle: runtime.database.writeObstacle,
  rateLimiter: runtime.rateLimiter,
});
listener.reload({
  fetch: (request, server) =>
    app.handle(request, { via: "tcp", peer: server.requestIP(request)?.address ?? "" }),
});
console.log(`listening on ${listener.url.origin}`);
