import { describedSchemas } from "#api/testing/described-schema.ts";
import packageJson from "../../package.json" with { type: "json" };
import { describeOwn } from "../../scripts/document/shipped-document.ts";

/** What a running server answered to a call of its API; `body` as it came, `requestId` from `x-request-id`. */
export type HeldAnswer = {
  method: string;
  path: string;
  status: number;
  type: string | null;
  requestId: string | null;
  body: string;
};

// Benchmarks spend no time of theirs on it.
const isTest = process.env.NODE_ENV === "test";
const document = isTest ? await describeOwn(packageJson.version) : { paths: {} };
const { check, resolve } = describedSchemas(document, { isClosed: true });
const paths: Record<string, Record<string, object>> = Object(document.paths);
const templates = Object.keys(paths).map((template) => ({
  template,
  parts: template.split("/"),
  // One that is written out is meant before one with a name in its place.
  names: template.split("{").length - 1,
}));
templates.sort((one, other) => one.names - other.names);

// What a proxy answers where there is no server behind it, or a late one.
const ofProxies: readonly number[] = [502, 503, 504];

/** Throws when a server answered other than the API's document says of the call. Calls of plugins' routes are not in it. */
export const holdToDocument = ({ method, path, status, type, requestId, body }: HeldAnswer): void => {
  const operation = operationAt(method.toLowerCase(), path.split("?", 1)[0] ?? "");
  // Every answer of ours has an id.
  if (operation === null || (requestId === null && ofProxies.includes(status))) return;
  const responses: Record<string, object> = Object(Reflect.get(operation, "responses"));
  const call = `${method} ${path}`;
  const described = responses[status];
  if (described === undefined)
    throw new Error(`${call} answered ${status}, which its description does not know`);
  if (body === "") return;
  const content: Record<string, object> = Object(Reflect.get(resolve(described), "content"));
  const kind = type?.split(";", 1)[0] ?? "";
  const media = content[kind] ?? content["*/*"];
  if (media === undefined)
    throw new Error(`${call} answered ${status} as ${kind}, which it does not describe`);
  const schema: unknown = Reflect.get(media, "schema");
  if (typeof schema !== "object" || schema === null || kind !== "application/json") return;
  const [error] = check(schema)(JSON.parse(body));
  if (error === undefined) return;
  throw new Error(
    `${call} answered ${status} with something else than it describes: ${error.path}: ${error.message}`,
  );
};

/** The text of an answer. In tests it throws when the answer is not what the API's document says of the call. */
export const heldText = async (
  { method, path }: Pick<HeldAnswer, "method" | "path">,
  response: Response,
): Promise<string> => {
  const { status, headers } = response;
  const body = await response.text();
  const [type, requestId] = [headers.get("content-type"), headers.get("x-request-id")];
  if (isTest) holdToDocument({ method, path, status, type, requestId, body });
  return body;
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
