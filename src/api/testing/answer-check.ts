import { generalFailures } from "#api/http/document/general-failures.ts";
import type { DeclaredRoute } from "#api/http/route-table.ts";
import { failure, failures } from "#api/modules/fields.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import { errorStatus } from "#contract/errors.ts";
import { describedSchemas } from "./described-schema.ts";

/** Looks at an answer to a call of a route. Throws when the API's document does not say that it may be so. */
export type AnswerCheck = (route: { method: string; template: string }, response: Response) => Promise<void>;

/**
 * Checks of answers by the schemas that the document is made of. Those are taken from the routes themselves, and made ready
 * when they are first needed: to write the whole document for each file of tests would cost more than most of their tests.
 * `pluginPaths`: what the document has of the plugins that run at the moment.
 */
export const createAnswerCheck = (
  declared: readonly DeclaredRoute[],
  pluginPaths: () => OpenApiPaths = () => ({}),
): AnswerCheck => {
  const answers = new Map(
    declared.map((route) => [
      `${route.method} ${route.path}`,
      { ...generalOf(route), ...Object(Reflect.get(Object(route.hooks), "response")) },
    ]),
  );
  return async ({ method, template }, response) => {
    const call = `${method} ${template}`;
    const known = answers.get(call);
    const schema =
      known === undefined
        ? pluginSchema(pluginPaths(), { method, template }, response)
        : known[response.status];
    // Of what a plugin mounted or left open nothing is promised.
    if (schema === null) return;
    if (schema === undefined)
      throw new Error(`${call} answered ${response.status}, which its description does not know`);
    if (known !== undefined && !(await isOfItsKind(response, schema)))
      throw new Error(
        `${call} answered ${response.status} as ${typeOf(response)}, which it does not describe`,
      );
    if (response.body === null || typeOf(response) !== json || isFile(schema)) return;
    const body: unknown = await response.clone().json();
    const [error] = checkOf(Object(schema))(body);
    if (error === undefined) return;
    const { path, message } = error;
    throw new Error(
      `${call} answered ${response.status} with something else than it describes: ${path}: ${message}`,
    );
  };
};

/**
 * The schema of what a plugin's route answered; `undefined` for an answer that its description does not know, `null` for
 * one that it says nothing about.
 */
const pluginSchema = (
  paths: OpenApiPaths,
  { method, template }: { method: string; template: string },
  { status, headers, body }: Response,
): unknown => {
  const operation = paths[template.replace(/:([A-Za-z]\w*)/g, "{$1}")]?.[method.toLowerCase()];
  if (operation === undefined) return null;
  const responses: Record<string, object> = Object(Reflect.get(operation, "responses"));
  const answer = responses[status];
  // What is left open may also have the status of something that is not.
  if ("default" in responses && (answer === undefined || status >= 400)) return null;
  if (answer === undefined) return undefined;
  const content: Record<string, object> = Object(Reflect.get(resolve(answer), "content"));
  if (body === null) return null;
  const media = content[typeOf({ headers })] ?? content["*/*"];
  return media === undefined ? undefined : (Reflect.get(media, "schema") ?? null);
};

const generalOf = (route: DeclaredRoute): Record<string, unknown> => failures(...generalFailures(route));

/** What descriptions of plugins' routes refer to. */
const components = {
  schemas: { Failure: failure },
  responses: Object.fromEntries(
    Object.values(errorStatus).map((status) => [
      `Failure${status}`,
      { content: { "application/json": { schema: failure } } },
    ]),
  ),
};

// The schemas stand in modules: what is made of one serves every host of a file.
const { check: checkOf, resolve } = describedSchemas({ components }, { isClosed: true });

const json = "application/json";

const typeOf = ({ headers }: Pick<Response, "headers">): string =>
  headers.get("content-type")?.split(";")[0] ?? "";

/** A file may be JSON as well, of which nothing is promised. */
const isFile = (schema: unknown): boolean => mediaTypeOf(schema) !== undefined;
const mediaTypeOf = (schema: unknown): unknown => Reflect.get(Object(schema), "contentMediaType");

/** Whether an answer of the application's own is of the media type that is described, or empty. */
const isOfItsKind = async (response: Response, schema: unknown): Promise<boolean> => {
  const described = mediaTypeOf(schema) ?? json;
  const type = typeOf(response);
  if (response.body === null || described === "*/*" || type === described) return true;
  // In a native plugin's own words, which stopped the call on its way.
  if (response.headers.has("x-atrium-block") && type !== json) return true;
  // The other form of every export.
  if (described === "text/csv" && type === "application/x-ndjson") return true;
  return (await response.clone().text()) === "";
};
