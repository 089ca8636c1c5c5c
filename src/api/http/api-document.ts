import type { AnyElysia } from "elysia";
import { Elysia, t } from "elysia";
import { failure, failures } from "#api/modules/fields.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import { cookieName } from "./call-cookies.ts";
import { completeOperations, sessionScheme, tokenScheme } from "./complete-operations.ts";
import type { Door } from "./door.ts";

/** Where programs find the description of the API. */
export const documentPath = "/swagger/json";

/** The description of the API at this moment, as an OpenAPI 3.1 document. */
export type ReadDocument = () => Promise<{ openapi: "3.1.0" }>;

export type DocumentOptions = {
  version: string;
  appUrl: string;
  /** The application with all of its own routes. */
  app: () => AnyElysia;
  /** The routes of the plugins that run now. */
  pluginPaths: () => OpenApiPaths;
};

/** Describes the application's own routes once, when it is first asked; those of plugins each time. */
export const createDocumentReader = ({
  version,
  appUrl,
  app,
  pluginPaths,
}: DocumentOptions): ReadDocument => {
  let own: Promise<{ components: object; paths: object }> | null = null;
  const describe = async () => {
    const { toOpenAPISchema } = await import("@elysiajs/openapi");
    // Without this, what looks like a file would be left out.
    const { components, paths } = toOpenAPISchema(
      app(),
      { staticFile: false },
      undefined,
      undefined,
      "3.1.0",
    );
    nameFiles(paths);
    completeOperations(paths, app().routes);
    return { components: { ...components, schemas: { ...components.schemas, Failure: failure } }, paths };
  };
  return async () => {
    own ??= describe();
    const { components, paths } = await own;
    return {
      openapi: "3.1.0",
      info: { title: "Atrium", version, description: "The API of this installation, plugins included." },
      servers: [{ url: appUrl }],
      paths: { ...paths, ...pluginPaths() },
      components: {
        ...components,
        securitySchemes: {
          [sessionScheme]: {
            type: "apiKey",
            in: "cookie",
            name: cookieName("sid", appUrl.startsWith("https:")),
          },
          [tokenScheme]: { type: "http", scheme: "bearer" },
        },
      },
    };
  };
};

type Described = Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>;

/** Answers that are files are described as JSON by then: gives them their own type. Source: OpenAPI 3.1 §4.8.14.2. */
const nameFiles = (paths: object): void => {
  for (const item of Object.values(asDescribed(paths)))
    for (const { responses = {} } of Object.values(item))
      for (const response of Object.values(responses)) {
        const [media] = Object.values(response.content ?? {});
        const type = media?.schema?.contentMediaType;
        if (typeof type === "string") response.content = { [type]: {} };
      }
};

/** What the package writes, as far as it is read here. */
const asDescribed = (paths: object): Described => paths as Described;

/** The call that answers the description. */
export const documentRoutes = (door: Door, read: ReadDocument) =>
  new Elysia().use(door).get(documentPath, () => read(), {
    access: "public",
    response: {
      200: t.Object({ openapi: t.Literal("3.1.0") }, { additionalProperties: true }),
      ...failures("RATE_LIMITED"),
    },
    detail: { summary: "The API as an OpenAPI 3.1 document", tags: ["System"] },
  });
