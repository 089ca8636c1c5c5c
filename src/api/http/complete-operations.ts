import type { DescribedOperation, DescribedPaths } from "./api-document-paths.ts";
import { isSchema, type Schema } from "./api-document-schemas.ts";
import type { DeclaredRoute } from "./route-table.ts";

/** Names the scheme of the session cookie in the description. */
export const sessionScheme = "session";

/** Names the scheme of tokens; routes that take one say so in their details. */
export const tokenScheme = "token";

/** Names the scheme of the control socket. */
export const operatorScheme = "operator";

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
export const completeOperations = (
  written: DescribedPaths,
  routes: readonly DeclaredRoute[],
): DescribedPaths => {
  const paths: DescribedPaths = {};
  for (const { method, path, hooks } of routes) {
    const operation = written[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const at = describedPath(path);
    paths[at] = { ...paths[at], [method.toLowerCase()]: completed(operation, method, path, asHooks(hooks)) };
  }
  return paths;
};

type Hooks = { access?: string; upload?: string; body?: unknown };

const completed = (
  operation: DescribedOperation,
  method: string,
  path: string,
  { access = "", upload, body }: Hooks,
): DescribedOperation => {
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
    security: operation.security ?? securityOf[access] ?? [],
    ...(all.length === 0
      ? {}
      : { parameters: all.map((parameter) => ({ ...parameter, required: isRequired(parameter) })) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: contentOf(upload, isSchema(body) ? body : {}) } }),
  };
};

const restText = "The rest of the address: the file's path, with its slashes as they are";

/** Who gets in where: admins' calls are the operator's as well, who is no person and has no account. */
const securityOf: Record<string, object[]> = {
  user: [{ [sessionScheme]: [] }],
  admin: [{ [sessionScheme]: ["admin"] }, { [operatorScheme]: [] }],
  operator: [{ [operatorScheme]: [] }],
};

/** What has a default may be left out, though whoever handles the call always finds it. */
const isRequired = ({ required = false, schema }: { required?: boolean; schema?: Schema }): boolean =>
  required && schema?.default === undefined;

const contentOf = (upload: string | undefined, body: Schema): Record<string, { schema: Schema }> =>
  upload === undefined
    ? { "application/json": { schema: body } }
    : { "multipart/form-data": { schema: formOf(upload) } };

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
