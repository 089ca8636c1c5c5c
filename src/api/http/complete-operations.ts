import type { DeclaredRoute } from "./route-table.ts";

/** Names the scheme of the session cookie in the description. */
export const sessionScheme = "session";

type Operation = { security?: object[]; requestBody?: { content: Record<string, object> } };

/** Names the scheme of tokens; routes that take one say so in their details. */
export const tokenScheme = "token";

/**
 * Adds what only the door knows to the description of the application's own routes: who may call each, and what comes
 * in its body. Bodies are read before Elysia is asked, so that the package which writes the description finds no reader
 * of its own for them and names no media type.
 */
export const completeOperations = (paths: object, routes: readonly DeclaredRoute[]): void => {
  for (const { method, path, hooks } of routes) {
    const operation = operationAt(paths, path.replace(/:(\w+)/g, "{$1}"), method.toLowerCase());
    if (operation === undefined) continue;
    const { access, upload, body } = asHooks(hooks);
    operation.security ??= access === "public" ? [] : [{ [sessionScheme]: [] }];
    const { requestBody } = operation;
    if (requestBody === undefined) continue;
    requestBody.content =
      upload === undefined
        ? { "application/json": { schema: body } }
        : { "multipart/form-data": { schema: formOf(upload) } };
  }
};

/** A form with one file, as OpenAPI 3.1 has it. Source: OpenAPI 3.1 §4.8.14.2. */
const formOf = (field: string): object => ({
  type: "object",
  required: [field],
  properties: { [field]: { type: "string", contentMediaType: "application/octet-stream" } },
});

/** What the package wrote for a route; `undefined` for a route that it left out. */
const operationAt = (paths: object, path: string, method: string): Operation | undefined =>
  Reflect.get(Object(Reflect.get(paths, path)), method);

/** A route's own words, as the door's macros take them. */
const asHooks = (hooks: unknown): { access?: string; upload?: string; body?: object } =>
  hooks as { access?: string; upload?: string; body?: object };
