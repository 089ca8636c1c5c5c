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
import { tokenRoutes } from "#api/modules/tokens/index.ts";
import { userRoutes } from "#api/modules/users/index.ts";
import { type AssetRoutesOptions, pluginAssetRoutes } from "#api/plugin-host/assets/routes.ts";
import { starterRoutes } from "#api/plugin-host/author/starter-routes.ts";
import { mcpPath } from "#contract/mcp.ts";
import { createDocumentReader, documentRoutes, type ReadDocument } from "./http/api-document.ts";
import type { CallObserver } from "./http/call-observer.ts";
import { arrivalOf, createDoor } from "./http/door.ts";
import { failureOf, toAppError } from "./http/errors.ts";
import { createMcpServer, type ServeMcp } from "./http/mcp/mcp-server.ts";
import { mcpRoutes } from "./http/mcp/routes.ts";
import type { PageServer } from "./http/page-server.ts";
import { createPipeline, type Pipeline } from "./http/pipeline.ts";
import { noPlugins, type PluginEntrance } from "./http/plugin-entrance.ts";
import { createRouteTable, type DeclaredRoute, type RouteTable } from "./http/route-table.ts";
import { apiHeaders } from "./http/security-headers.ts";
import { createSessionSource } from "./http/session-source.ts";
import { createTokenSource } from "./http/token-source.ts";

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
  /** Whether assistants may come in; not unless given. */
  mcpEnabled?: boolean;
};

/** The whole application behind one function. */
export type AtriumApp = {
  handle: Pipeline;
  routes: RouteTable;
  /** The application's own routes as they were written down, with the schemas of what they take and answer. */
  declared: readonly DeclaredRoute[];
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
  serveMcp: ServeMcp;
};

const createRoutes = ({ services, streams, readDocument, probes, serveMcp, ...files }: RoutesOptions) => {
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
    .use(tokenRoutes(door))
    .use(pluginRoutes(door))
    .use(pluginPackageRoutes(door))
    .use(pluginSettingsRoutes(door))
    .use(pluginKeyRoutes(door))
    .use(pluginAssetRoutes(door, files))
    .use(starterRoutes(door))
    .use(documentRoutes(door, readDocument))
    .use(mcpRoutes(door, serveMcp));
};

/** A route's own answer, with the headers that it does not set itself. */
const withHeaders = (response: Response, headers: Headers): Response => {
  for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
};

/**
 * What describes the routes where nothing runs: no database is opened, nothing listens. Its document has no routes of
 * plugins, of which only a running installation knows; that of assistants only with `hasMcp`, as on a server.
 */
export const describeRoutes = ({
  version,
  appUrl,
  hasMcp = false,
}: {
  version: string;
  appUrl: string;
  hasMcp?: boolean;
}): ReadDocument => {
  const read = createDocumentReader({
    version,
    appUrl,
    app: () => elysia,
    routes: () => callable(elysia.routes, hasMcp),
    pluginPaths: noPlugins.describe,
  });
  const elysia = createRoutes({ ...unanswering({ appUrl }), readDocument: read });
  return read;
};

/** Where assistants are not let in, it is as if their route were not there. */
const callable = (routes: readonly DeclaredRoute[], hasMcp: boolean): DeclaredRoute[] =>
  routes.filter(({ path }) => hasMcp || path !== mcpPath);

/** Services of which nothing but the address is there: routes that are only described reach for no other. */
const unanswering = ({ appUrl }: { appUrl: string }) => {
  const present: unknown = { services: { appUrl }, streams: {}, probes: {}, pages: {}, assets: {} };
  return present as Omit<RoutesOptions, "readDocument">;
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
    routes: () => declared,
    pluginPaths: () => plugins.describe(),
  });
  const probes = { readiness, metrics };
  const serveMcp = createMcpServer({
    ...{ version: services.process.version, appUrl: services.appUrl, pages, readDocument },
    routes: () => routes,
    answer: (request) => answer(request),
    writeObstacle: options.writeObstacle,
  });
  const elysia = createRoutes({
    services,
    streams,
    pages,
    readDocument,
    probes,
    serveMcp,
    assets: plugins.assets,
  });
  const declared = callable(elysia.routes, options.mcpEnabled === true);
  const routes = createRouteTable(declared);
  const sessions = createSessionSource(services);
  const tokens = createTokenSource(services);
  plugins.meet({
    routes: () => [...routes.all, ...plugins.routes.all()],
    pageFiles: (path) => pages.loadsOf?.(path) ?? { scripts: [], styles: [] },
  });
  const answer = elysia.compile().fetch;
  const handle = createPipeline({
    ...options,
    services,
    routes,
    sessions,
    tokens,
    answer,
    isDraining: () => isDraining,
  });
  return {
    handle,
    routes,
    declared,
    readiness,
    sessionLooks: sessions.looks,
    drain: () => {
      isDraining = true;
      streams.drain();
    },
    stop: () => {
      streams.stop();
      sessions.stop();
      tokens.stop();
    },
  };
};
