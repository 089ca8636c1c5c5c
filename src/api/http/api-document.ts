import type { AnyElysia } from "elysia";
import { Elysia, t } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failure, failures } from "#api/modules/fields.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import { cookieName } from "./call-cookies.ts";
import { documentPath } from "./call-paths.ts";
import {
  completeOperations,
  metricsScheme,
  operatorScheme,
  sessionScheme,
  tokenScheme,
} from "./complete-operations.ts";
import { completeDocument } from "./document/complete.ts";
import { describeResponses, openAnswer } from "./document/describe-responses.ts";
import type { DescribedSchema } from "./document/described.ts";
import { asPaths, type DescribedPaths, operationsOf } from "./document/paths.ts";
import { plainSchema, type Schema } from "./document/plain-schema.ts";
import { schemaNames } from "./document/schema-names.ts";
import { mediaOf, shareSchemas } from "./document/share-schemas.ts";
import { documentTags, pluginTags } from "./document/tags.ts";
import type { DeclaredRoute } from "./route-table.ts";

/** The description of the API at this moment, as an OpenAPI 3.1 document. */
export type ReadDocument = () => Promise<{ openapi: "3.1.0" }>;

export type DocumentOptions = {
  version: string;
  appUrl: string;
  /** The application with all of its own routes. */
  app: () => AnyElysia;
  /** Those of them that can be called here. */
  routes: () => readonly DeclaredRoute[];
  /** The routes of the plugins that run now: the same object as long as they are the same. */
  pluginPaths: () => OpenApiPaths;
};

/** Describes the application's own routes once, when it is first asked, those of plugins whenever they have changed. */
export const createDocumentReader = ({
  version,
  appUrl,
  app,
  routes,
  pluginPaths,
}: DocumentOptions): ReadDocument => {
  let own: ReturnType<typeof describe> | null = null;
  const describe = async () => {
    const { toOpenAPISchema } = await import("@elysiajs/openapi");
    // Without this, what looks like a file would be left out.
    const written = toOpenAPISchema(app(), { staticFile: false }, undefined, undefined, "3.1.0");
    const paths = completeOperations(asPaths(written.paths), routes());
    const responses = describeResponses(paths);
    writePlainly(paths);
    const schemas = { ...shareSchemas(paths, schemaNames), Failure: openAnswer(plainSchema(failure)) };
    return completeDocument({ paths, components: { schemas, responses } });
  };
  const readOwn = async () => {
    own ??= describe();
    try {
      return await own;
    } catch (error) {
      // The next who asks may have more luck.
      own = null;
      throw error;
    }
  };
  const withPlugins = async (found: OpenApiPaths) => {
    const { components, paths } = await readOwn();
    const ofPlugins = oneIdEach(found);
    const added = completeDocument({ paths: ofPlugins, components });
    return {
      openapi: "3.1.0" as const,
      info: {
        title: "Atrium",
        version,
        description: "The API of this installation, plugins included.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: appUrl }],
      tags: [...documentTags, ...pluginTags(ofPlugins)],
      paths: { ...paths, ...added.paths },
      components: { ...components, securitySchemes: securitySchemes(appUrl) },
    };
  };
  let last: { found: OpenApiPaths; document: ReturnType<typeof withPlugins> } | null = null;
  return () => {
    const found = pluginPaths();
    if (last?.found === found) return last.document;
    const made = { found, document: withPlugins(found) };
    last = made;
    made.document.catch(() => {
      if (last === made) last = null;
    });
    return made.document;
  };
};

const writePlainly = (paths: DescribedPaths): void => {
  for (const { media } of mediaOf(paths)) if (media.schema) media.schema = plainSchema(media.schema);
  for (const parameter of operationsOf(paths).flatMap(({ operation }) => operation.parameters ?? [])) {
    const { schema } = parameter;
    // Which defaults are real is known of these.
    if (schema)
      parameter.schema = {
        ...asDescribed(plainSchema(schema)),
        ...(schema.default === undefined ? {} : { default: schema.default }),
      };
  }
};

/** Schemas in the words of OpenAPI alone are of this shape. */
const asDescribed = (schema: Schema): DescribedSchema => schema as DescribedSchema;

/** Plugins name paths as they like, so that two of their calls can end up with one id: the later gets a number. */
const oneIdEach = (paths: OpenApiPaths): OpenApiPaths => {
  const taken = new Set<string>();
  const named: DescribedPaths = {};
  for (const { path, method, operation } of operationsOf(asPaths(paths))) {
    const wanted = operation.operationId ?? "";
    let id = wanted;
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
    taken.add(id);
    named[path] = { ...named[path], [method]: { ...operation, operationId: id } };
  }
  return named;
};

const securitySchemes = (appUrl: string): Record<string, object> => ({
  [sessionScheme]: {
    type: "apiKey",
    in: "cookie",
    name: cookieName("sid", appUrl.startsWith("https:")),
    description:
      "Set at sign-in; a role beside it is one that the person must have. A call that changes something and brings it has to " +
      "say that it comes from here, as browsers do by themselves: `Origin` with exactly this address, or " +
      "`Sec-Fetch-Site: same-origin`.",
  },
  [tokenScheme]: {
    type: "http",
    scheme: "bearer",
    description: "An API token, `atr_…`; beside it stands the scope that it must have. See /docs/tokens.",
  },
  [metricsScheme]: { type: "http", scheme: "bearer", description: "The token of `METRICS_TOKEN`" },
  // Of OpenAPI's kinds the one that, like the socket, is settled by the connection and by nothing within a call.
  [operatorScheme]: {
    type: "mutualTLS",
    description:
      "No certificate, but the connection itself: over the control socket in the data folder, which its owner alone can " +
      "open. Nothing that is sent over the network takes its place.",
  },
});

/** The call that answers the description. */
export const documentRoutes = (door: Door, read: ReadDocument) =>
  new Elysia().use(door).get(documentPath, () => read(), {
    access: "public",
    response: {
      200: t.Object({ openapi: t.Literal("3.1.0") }, { additionalProperties: true }),
      ...failures("RATE_LIMITED"),
    },
    detail: {
      summary: "The API as an OpenAPI 3.1 document",
      description:
        "What `/swagger` shows, for generators and assistants: every call that this server answers, those of the plugins " +
        "that run now included, so that two answers may differ. `atrium openapi` prints it where no server runs, too: " +
        "enabled plugins are started for it, and where nothing is installed yet there are none.",
      tags: ["System"],
    },
  });
