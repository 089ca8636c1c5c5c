import { join } from "node:path";
import { describedSchemas } from "#api/testing/described-schema.ts";
import packageJson from "../../package.json" with { type: "json" };

/** What a running server answered to a call of its API; `body` as it came. */
export type HeldAnswer = { method: string; path: string; status: number; type: string | null; body: string };

const kept = Bun.file(join(import.meta.dir, `../../docs/api/openapi-${packageJson.version}.json`));
const document = await kept.json();
const { check, resolve } = describedSchemas(document, { isClosed: true });
const paths: Record<string, Record<string, object>> = document.paths;
const templates = Object.keys(paths).map((template) => ({
  template,
  parts: template.split("/"),
  // One that is written out is meant before one with a name in its place.
  names: template.split("{").length - 1,
}));
templates.sort((one, other) => one.names - other.names);

/** Throws when a server answered other than the API's document says of the call. Calls of plugins' routes are not in it. */
export const holdToDocument = ({ method, path, status, type, body }: HeldAnswer): void => {
  const operation = operationAt(method.toLowerCase(), path.split("?", 1)[0] ?? "");
  if (operation === null) return;
  const responses: Record<string, object> = Object(Reflect.get(operation, "responses"));
  const call = `${method} ${path}`;
  const described = responses[status];
  if (described === undefined)
    throw new Error(`${call} answered ${status}, which its description does not know`);
  const media = Reflect.get(Object(Reflect.get(resolve(described), "content")), "application/json");
  const schema: unknown = Reflect.get(Object(media), "schema");
  if (typeof schema !== "object" || schema === null || type?.startsWith("application/json") !== true) return;
  // A file may be JSON as well, of which nothing is promised.
  if (Reflect.has(resolve(schema), "contentMediaType")) return;
  const [error] = check(schema)(JSON.parse(body));
  if (error === undefined) return;
  throw new Error(
    `${call} answered ${status} with something else than it describes: ${error.path}: ${error.message}`,
  );
};

const operationAt = (method: string, path: string): object | null => {
  const given = path.split("/");
  const found = templates.find(
    ({ template, parts }) =>
      parts.length === given.length &&
      paths[template]?.[method] !== undefined &&
      parts.every((part, at) => part === given[at] || (part.startsWith("{") && given[at] !== "")),
  );
  return found === undefined ? null : (paths[found.template]?.[method] ?? null);
};
