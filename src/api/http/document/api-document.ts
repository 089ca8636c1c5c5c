import { FormatRegistry, Kind } from "@sinclair/typebox";
import { type AnyElysia, Elysia, t } from "elysia";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Door } from "#api/door/door.ts";
import { failure, failures } from "#api/modules/fields.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { Proof } from "#contract/proof.ts";
import { cookieName } from "../origin.ts";
import type { DeclaredRoute } from "../route-table.ts";
import { scopeOf } from "../route-table.ts";
import { documentPath } from "../target.ts";
import { addedTags, completeDocument, documentTags } from "./complete.ts";
import { describeResponses, openAnswer } from "./describe-responses.ts";
import { generalFailures, proofFacts } from "./general-failures.ts";
import {
  asPaths,
  type DescribedOperation,
  type DescribedParameter,
  type DescribedPaths,
  type DescribedResponse,
  type DescribedSchema,
  isSchema,
  operationsOf,
  plainSchema,
  type Schema,
} from "./paths.ts";
import { mediaOf, schemaNames, shareSchemas } from "./share-schemas.ts";

/** The description of the API at this moment, as an OpenAPI 3.1 document. */
export type ReadDocument = () => Promise<{ openapi: "3.1.0" }>;

type DocumentOptions = {
  version: string;
  /** What the site is called at the moment. */
  siteName: () => string;
  appUrl: string;
  /** The application with all of its own routes. */
  app: () => AnyElysia;
  /** Those of them that can be called here. */
  routes: () => readonly DeclaredRoute[];
  /** The routes of the plugins that run now: the same object as long as they are the same. */
  pluginPaths: () => OpenApiPaths;
};

/** The package replaces checks of formats, such as `date`, with others while it is loaded: input is checked as before. */
const loadDescriber = async () => {
  const checks = FormatRegistry.Entries();
  const { toOpenAPISchema } = await import("@elysiajs/openapi");
  for (const [format, check] of checks) FormatRegistry.Set(format, check);
  return toOpenAPISchema;
};

/** Describes the application's own routes once, when it is first asked, those of plugins whenever they have changed. */
export const createDocumentReader = ({
  version,
  siteName,
  appUrl,
  app,
  routes,
  pluginPaths,
}: DocumentOptions): ReadDocument => {
  let own: ReturnType<typeof describe> | null = null;
  const describe = async () => {
    const toOpenAPISchema = await loadDescriber();
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
      // The next attempt may succeed.
      own = null;
      throw error;
    }
  };
  const withPlugins = async (found: OpenApiPaths, title: string) => {
    const { components, paths } = await readOwn();
    const ofPlugins = oneIdEach(found);
    const added = completeDocument({ paths: ofPlugins, components });
    return {
      openapi: "3.1.0" as const,
      info: {
        title,
        version,
        description: "The API of this installation, plugins included.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: appUrl }],
      tags: [...documentTags, ...addedTags("feature", paths), ...addedTags("plugin", ofPlugins)],
      paths: { ...paths, ...added.paths },
      components: { ...components, securitySchemes: securitySchemes(appUrl) },
    };
  };
  let last: { found: OpenApiPaths; title: string; document: ReturnType<typeof withPlugins> } | null = null;
  return () => {
    const found = pluginPaths();
    const title = siteName();
    if (last?.found === found && last.title === title) return last.document;
    const made = { found, title, document: withPlugins(found, title) };
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
      "Set at sign-in; where a role is given, the user must have it. A request with it that changes something has to " +
      "show that it comes from this site, as browsers do automatically: `Origin` with exactly this address, or " +
      "`Sec-Fetch-Site: same-origin`.",
  },
  [tokenScheme]: {
    type: "http",
    scheme: "bearer",
    description: "An API token, `atr_…`, with the scope that it must have. See /docs/tokens.",
  },
  [metricsScheme]: { type: "http", scheme: "bearer", description: "The token of `METRICS_TOKEN`" },
  // Of OpenAPI's kinds the one that, like the socket, is settled by the connection and by nothing within a call.
  [operatorScheme]: {
    type: "mutualTLS",
    description:
      "No certificate, but the connection itself: over the control socket in the data folder, which only its owner can " +
      "open. Nothing sent over the network can replace it.",
  },
});

/** The call that answers the description. */
export const documentRoutes = (door: Door, read: ReadDocument) =>
  new Elysia().use(door).get(
    documentPath,
    ({ ctx, set }) => {
      requireReader(ctx);
      // What only some may read is in no cache that others share.
      if (ctx.settings.current.site.docs !== "everybody") set.headers["cache-control"] = "private, no-store";
      return read();
    },
    {
      access: "public",
      response: {
        200: t.Object({ openapi: t.Literal("3.1.0") }, { additionalProperties: true }),
        ...failures("RATE_LIMITED", "NOT_SIGNED_IN", "FORBIDDEN", "NOT_FOUND"),
      },
      detail: {
        summary: "The API as an OpenAPI 3.1 document",
        description:
          "What `/swagger` shows, for generators and assistants: every request that this server answers, including those of " +
          "running plugins, so two responses may differ. `atrium openapi` prints it without a running server, too: " +
          "it starts the enabled plugins; where nothing is installed yet, there are none.",
        tags: ["System"],
      },
    },
  );

/** Throws for those who may not read about the program. The operator always may. */
const requireReader = ({ actor, settings }: Context): void => {
  const { docs } = settings.current.site;
  if (docs === "everybody" || actor.kind === "operator") return;
  if (docs === "off") throw new AppError("NOT_FOUND");
  if (actor.kind === "visitor") throw new AppError("NOT_SIGNED_IN");
  if (docs === "admins" && actor.kind === "user" && actor.user.role !== "admin")
    throw new AppError("FORBIDDEN");
};

/** Names the scheme of the session cookie in the description. */
const sessionScheme = "session";

/** Names the scheme of API tokens. */
export const tokenScheme = "token";

/** Names the scheme of the token for those who watch the process; routes that take it say so in their details. */
const metricsScheme = "metrics";

/** Names the scheme of the control socket. */
const operatorScheme = "operator";

/** Where the description has the route of a path as Elysia writes it. */
export const describedPath = (path: string): string =>
  path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, `{${restName}}`);

/** What the rest of a path is called, which OpenAPI has no sign for. */
const restName = "path";

/**
 * Describes the application's own routes as the package does, `written` being its work, with what only the door knows:
 * who may call each, and what comes in its body. Bodies are read before Elysia is asked, so that the package finds no
 * reader of its own for them and names no media type.
 */
const completeOperations = (written: DescribedPaths, routes: readonly DeclaredRoute[]): DescribedPaths => {
  const paths: DescribedPaths = {};
  for (const { method, path, hooks } of routes) {
    const operation = written[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const at = describedPath(path);
    paths[at] = { ...paths[at], [method.toLowerCase()]: completed(operation, { method, path, hooks }) };
  }
  return paths;
};

type Hooks = {
  access?: string;
  proof?: Proof;
  upload?: string | undefined;
  form?: boolean;
  body?: unknown;
  query?: unknown;
};

const completed = (operation: DescribedOperation, route: DeclaredRoute): DescribedOperation => {
  const { method, path } = route;
  const { access = "", proof, upload, form = false, body, query } = asHooks(route.hooks);
  const { parameters = [], requestBody } = operation;
  const rest = {
    name: restName,
    in: "path",
    required: true,
    schema: { type: "string", description: restText },
  };
  const all = path.endsWith("*") ? [...parameters, rest] : parameters;
  return {
    ...operation,
    operationId: operationIdOf(method, path),
    security: operation.security ?? securityOf(access, scopeOf(route)),
    ...proofFacts(proof),
    responses: { ...generalOf(route), ...operation.responses },
    ...(all.length === 0 ? {} : { parameters: all.map((parameter) => withDefault(parameter, query)) }),
    // A route that reads messages describes them itself.
    ...(requestBody === undefined || (upload === undefined && body === undefined)
      ? {}
      : {
          requestBody: { ...requestBody, content: contentOf({ upload, form }, isSchema(body) ? body : {}) },
        }),
  };
};

/** The failures that a route need not name, by status. */
const generalOf = (route: DeclaredRoute): Record<string, DescribedResponse> =>
  Object.fromEntries(
    Object.keys(failures(...generalFailures(route))).map((status) => [
      status,
      { content: { "application/json": { schema: failure } } },
    ]),
  );

const restText = "The rest of the path: the file's path, with its slashes unescaped";

/** Who gets in where: admins' calls are the operator's as well, who is no person and has no account. */
const securityOf = (access: string, scope: ReturnType<typeof scopeOf>): object[] => {
  if (access === "user") return [{ [sessionScheme]: [] }];
  if (access === "operator") return [{ [operatorScheme]: [] }];
  if (access !== "admin") return [];
  const token = { [tokenScheme]: scope === null || scope === "any" ? [] : [scope] };
  const tokens = scope === "none" ? [] : [token];
  return [{ [sessionScheme]: ["admin"] }, ...tokens, { [operatorScheme]: [] }];
};

/** A parameter with a default is optional for clients, though the handler always gets it. */
const withDefault = (parameter: DescribedParameter, query: unknown): DescribedParameter => {
  const { name, in: place, required = false } = parameter;
  const { default: _made, ...schema } = parameter.schema ?? {};
  const declared: unknown = Reflect.get(Object(Reflect.get(Object(query), "properties")), name);
  // The package loses that of choices, and the framework makes one up for lists of words.
  const initial: unknown =
    place !== "query" || Reflect.get(Object(declared), Kind) === "UnionEnum"
      ? undefined
      : (Reflect.get(Object(declared), "default") ?? parameter.schema?.default);
  return {
    ...parameter,
    required: required && initial === undefined,
    schema: initial === undefined ? schema : { ...schema, default: initial },
  };
};

const contentOf = (
  { upload, form = false }: Pick<Hooks, "upload" | "form">,
  body: Schema,
): Record<string, { schema: Schema }> => {
  if (upload !== undefined) return { "multipart/form-data": { schema: formOf(upload) } };
  return { [form ? "application/x-www-form-urlencoded" : "application/json"]: { schema: body } };
};

/** A form with one file, as OpenAPI 3.1 has it. Source: OpenAPI 3.1 §4.8.14.2. */
const formOf = (field: string): Schema => ({
  type: "object",
  required: [field],
  properties: { [field]: { type: "string", contentMediaType: "application/octet-stream" } },
});

/** A name that generated clients can use as it is: `getAuthVerifyEmailByToken` for `GET /api/auth/verify-email/:token`. */
const operationIdOf = (method: string, path: string): string => {
  const parts = path.replace(/^\/api\//, "").replace(/\*$/, `:${restName}`);
  const words = parts.replaceAll(":", "by-").split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
};

/** A route's own words, as the door's macros take them. */
const asHooks = (hooks: unknown): Hooks => hooks as Hooks;
