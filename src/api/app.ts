import { type MetricsEndpoint, noMetrics, type Readiness } from "#api/core/metrics.ts";
import { createActivityStreams } from "#api/modules/activity/index.ts";
import { createReadiness } from "#api/modules/system/index.ts";
import { mcpPath } from "#contract/mcp.ts";
import { unsetSite } from "#contract/site.ts";
import { type DeclaredRoutes, declareRoutes } from "./declare-routes.ts";
import { createSessionSource, createTokenSource } from "./http/credentials.ts";
import { createDocumentReader, type ReadDocument } from "./http/document/api-document.ts";
import { createMcpServer } from "./http/mcp/mcp-server.ts";
import { createPipeline, type Pipeline, type PipelineOptions } from "./http/pipeline.ts";
import { noPlugins } from "./http/plugin-entrance.ts";
import { createRouteTable, type DeclaredRoute, type RouteTable } from "./http/route-table.ts";
import type { LoadedFeature } from "./load-features.ts";

/** What the pipeline is not given by the app itself, and what else the app needs. */
export type AppOptions = Omit<PipelineOptions, "routes" | "sessions" | "tokens" | "answer" | "draining"> & {
  /** What `/api/metrics` is answered with; nothing unless given. */
  metrics?: MetricsEndpoint;
  /** Whether assistants may come in; not unless given. */
  mcpEnabled?: boolean;
};

/** The whole application behind one function. */
export type AtriumApp = {
  handle: Pipeline;
  routes: RouteTable;
  /** The application's own routes as declared, with the schemas of their input and output. */
  declared: readonly DeclaredRoute[];
  readiness: Readiness;
  /** How often sessions were asked for, and how often the database had to be asked for one. */
  sessionLooks: { asked: number; read: number };
  /** From now on readiness is refused and connections are asked to close. */
  drain(): void;
  stop(): void;
};

/**
 * What describes the routes where nothing runs: no database is opened, nothing listens. Its document has no routes of
 * plugins, of which only a running installation knows; that of assistants only with `hasMcp`, as on a server, and those of own
 * features only if they are given.
 */
export const describeRoutes = ({
  version,
  appUrl,
  hasMcp = false,
  features = [],
}: {
  version: string;
  appUrl: string;
  hasMcp?: boolean;
  features?: readonly LoadedFeature[];
}): ReadDocument => {
  const read = createDocumentReader({
    version,
    siteName: () => unsetSite.name,
    appUrl,
    app: () => elysia,
    routes: () => callable(elysia.routes, hasMcp),
    pluginPaths: noPlugins.describe,
  });
  const { elysia } = declareRoutes(features);
  return read;
};

/** While MCP is off, its route does not exist. */
const callable = (routes: readonly DeclaredRoute[], hasMcp: boolean): DeclaredRoute[] =>
  routes.filter(({ path }) => hasMcp || path !== mcpPath);

/** The typed routes, for clients that know them by type alone. */
export type App = DeclaredRoutes["elysia"];

/** Mounts the routes behind the pipeline. Throws when one does not say who may call it. */
export const createApp = (
  { services, ...options }: AppOptions,
  { elysia, answerFrom }: DeclaredRoutes = declareRoutes(),
): AtriumApp => {
  const drain = new AbortController();
  const readiness = createReadiness(services, () => drain.signal.aborted);
  const streams = createActivityStreams(services);
  const { pages, plugins = noPlugins, metrics = noMetrics } = options;
  const siteName = () => services.settings.current.site.name;
  const readDocument = createDocumentReader({
    version: services.process.version,
    siteName,
    appUrl: services.appUrl,
    app: () => elysia,
    routes: () => declared,
    pluginPaths: () => plugins.describe(),
  });
  const probes = { readiness, metrics };
  const serveMcp = createMcpServer({
    ...{ version: services.process.version, siteName, appUrl: services.appUrl, pages, readDocument },
    routes: () => routes,
    answer: (request) => answer(request),
    writeObstacle: options.writeObstacle,
  });
  answerFrom({ services, streams, pages, readDocument, probes, serveMcp, assets: plugins.assets });
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
    draining: drain.signal,
  });
  return {
    handle,
    routes,
    declared,
    readiness,
    sessionLooks: sessions.looks,
    drain: () => {
      drain.abort();
      streams.drain();
    },
    stop: () => {
      streams.stop();
      sessions.stop();
      tokens.stop();
    },
  };
};
