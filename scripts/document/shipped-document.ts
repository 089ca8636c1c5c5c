import { describeRoutes } from "#api/app.ts";
import { completeDocument } from "#api/http/document/complete.ts";
import type { DescribedDocument } from "#api/http/document/paths.ts";
import { compileRoutes } from "#api/plugin-host/dispatch/compile-routes.ts";
import { openApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import type { ApiDocument } from "../client/describe-operations.ts";

/** The description of the application's own calls, assistants' way in among them: what a release promises of itself. */
export const describeOwn = async (version: string): Promise<ApiDocument> => {
  const document: unknown = await describeRoutes({
    version,
    appUrl: "http://localhost:3000",
    hasMcp: true,
  })();
  return asDocument(document);
};

/** The description of the calls of the plugins that are part of Atrium, without the application's own. */
export const describeShipped = async (version: string): Promise<ApiDocument> => {
  const running = await startShippedPlugins();
  try {
    return await describeCallsOf(running, version);
  } finally {
    await Promise.all(running.map(({ runtime }) => runtime.stop("shutdown")));
  }
};

const describeCallsOf = async (running: readonly LivePlugin[], version: string): Promise<ApiDocument> => {
  const { schemas = {}, responses = {} } = (await describeOwn(version)).components ?? {};
  const written: unknown = {
    openapi: "3.1.0",
    info: { title: "Plugins of Atrium", version },
    paths: Object.assign(
      {},
      ...running.map((live) => openApiPaths(live, compileRoutes(live.runtime.registration, live.granted))),
    ),
    // Plugins' calls refer to failures, and to nothing else of the application's.
    components: { schemas: { Failure: schemas.Failure }, responses },
  };
  return asDocument(completeDocument(written as DescribedDocument));
};

/** Their own tests see to it that documents are of this shape. */
const asDocument = (document: unknown): ApiDocument => document as ApiDocument;
