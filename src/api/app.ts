import { Elysia } from "elysia";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { type MetricsDoor, noMetrics } from "#api/core/metrics-door.ts";
import type { Readiness } from "#api/core/readiness.ts";
import { accountRoutes } from "#api/modules/account/index.ts";
import {
  type ActivityStreams,
  activityLogRoutes,
  activityRoutes,
  activityStreamRoutes,
  createActivityStreams,
} from "#api/modules/activity/index.ts";
import { adminRoutes } from "#api/modules/admin/index.ts";
import { authRoutes, providerRoutes } from "#api/modules/auth/index.ts";
import { backupRoutes } from "#api/modules/backups/index.ts";
import { contactRoutes } from "#api/modules/contact/index.ts";
import { mailRoutes } from "#api/modules/mail/index.ts";
import {
  pluginKeyRoutes,
  pluginPackageRoutes,
  pluginRoutes,
  pluginSettingsRoutes,
} from "#api/modules/plugins/index.ts";
import { secretRoutes } from "#api/modules/secrets/index.ts";
import { settingsRoutes, settingsTestRoutes } from "#api/modules/settings/index.ts";
import { snapshotRoutes } from "#api/modules/snapshots/index.ts";
import { createReadiness, type Probes, supportRoutes, systemRoutes } from "#api/modules/system/index.ts";
import { userRoutes } from "#api/modules/users/index.ts";
import { type AssetRoutesOptions, pluginAssetRoutes } from "#api/plugin-host/assets/routes.ts";
import { starterRoutes } from "#api/plugin-host/author/starter-routes.ts";
import { createDocumentReader, documentRoutes, type ReadDocument } from "./http/api-document.ts";
import type { CallObserver } from "./http/call-observer.ts";
import { arrivalOf, createDoor } from "./http/door.ts";
import { failureOf, toAppError } from "./http/errors.ts";
import type { PageServer } from "./http/page-server.ts";
import { createPipeline, type Pipeline } from "./http/pipeline.ts";
import { noPlugins, type PluginEntrance } from "./http/plugin-entrance.ts";
import { createRouteTable, type RouteTable } from "./http/route-table.ts";
import { apiHeaders } from "./http/security-headers.ts";
import { createSessionSource } from "./http/session-source.ts";

/** What the app needs besides the services that operations see. */
export type AppOptions = {
  services: Services;
  pages: PageServer;
  writeObstacle: () => AppError | null;
  rateLimiter: RateLimiter;
  allowedHosts: string[];
  trustedProxies: string[];
  corsOrigins: string[];
  /** What plugins add; nothing unless given. */
  plugins?: PluginEntrance;
  /** What `/api/metrics` is answered with; nothing unless given. */
  metrics?: MetricsDoor;
  /** Sees requests come and go; nobody does unless given. */
  observer?: CallObserver | null;
};

/** The whole application behind one function. */
export type AtriumApp = {
  handle: Pipeline;
  routes: RouteTable;
  readiness: Readiness;
  /** How often sessions were asked for, and how often the database had to be asked for one. */
  sessionLooks: { asked: number; read: number };
  /** From now on readiness is refused and connections are asked to close. */
  drain(): void;
  stop(): void;
};

type RoutesOptions = AssetRoutesOptions & {
  services: Services;
  streams: ActivityStreams;
  readDocument: ReadDocument;
  probes: Probes;
};

const createRoutes = ({ services, streams, readDocument, probes, ...files }: RoutesOptions) => {
  const door = createDoor();
  // Made once: to copy headers costs a third of what it costs to make them from ten strings.
  const headers = new Headers(apiHeaders(services.appUrl.startsWith("https:")));
  return new Elysia({ normalize: false })
    .mapResponse(({ response, set }) => {
      if (response instanceof Response) return withHeaders(response, headers);
      const answer = Response.json(response, { status: Number(set.status ?? 200), headers });
      for (const [name, value] of Object.entries(set.headers)) answer.headers.set(name, String(value));
      return answer;
    })
    .onError(({ error, code, set, request }) => {
      const { ctx, trace } = arrivalOf(request);
      const known = toAppError(error, code, ctx.requestId, services.log);
      trace.failure = known.kind;
      const failure = failureOf(known, ctx.requestId);
      set.status = failure.status;
      Object.assign(set.headers, failure.headers);
      return failure.body;
    })
    .use(systemRoutes(door, probes))
    .use(supportRoutes(door))
    .use(secretRoutes(door))
    .use(snapshotRoutes(door))
    .use(authRoutes(door))
    .use(providerRoutes(door))
    .use(accountRoutes(door))
    .use(adminRoutes(door))
    .use(activityRoutes(door))
    .use(activityLogRoutes(door))
    .use(activityStreamRoutes(door, streams))
    .use(contactRoutes(door))
    .use(mailRoutes(door))
    .use(backupRoutes(door))
    .use(settingsRoutes(door))
    .use(settingsTestRoutes(door))
    .use(userRoutes(door))
    .use(pluginRoutes(door))
    .use(pluginPackageRoutes(door))
    .use(pluginSettingsRoutes(door))
    .use(pluginKeyRoutes(door))
    .use(pluginAssetRoutes(door, files))
    .use(starterRoutes(door))
    .use(documentRoutes(door, readDocument));
};

/** A route's own answer, with the headers that it does not set itself. */
const withHeaders = (response: Response, headers: Headers): Response => {
  for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
};

/** The typed routes, for clients that know them by type alone. */
export type App = ReturnType<typeof createRoutes>;

/** Mounts the modules behind the pipeline. Throws when a route does not say who may call it. */
export const createApp = ({ services, ...options }: AppOptions): AtriumApp => {
  let isDraining = false;
  const readiness = createReadiness(services, () => isDraining);
  const streams = createActivityStreams(services);
  const { pages, plugins = noPlugins, metrics = noMetrics } = options;
  const readDocument = createDocumentReader({
    version: services.process.version,
    appUrl: services.appUrl,
    app: () => elysia,
    pluginPaths: () => plugins.describe(),
  });
  const probes = { readiness, metrics };
  const elysia = createRoutes({ services, streams, pages, readDocument, probes, assets: plugins.assets });
  const routes = createRouteTable(elysia.routes);
  const sessions = createSessionSource(services);
  plugins.meet({
    routes: () => [...routes.all, ...plugins.routes.all()],
    pageFiles: (path) => pages.loadsOf?.(path) ?? { scripts: [], styles: [] },
  });
  const handle = createPipeline({
    ...options,
    services,
    routes,
    sessions,
    answer: elysia.compile().fetch,
    isDraining: () => isDraining,
  });
  return {
    handle,
    routes,
    readiness,
    sessionLooks: sessions.looks,
    drain: () => {
      isDraining = true;
      streams.drain();
    },
    stop: () => {
      streams.stop();
      sessions.stop();
    },
  };
};
