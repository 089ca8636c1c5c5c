import { generalFailures } from "#api/http/general-failures.ts";
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
    // What the method does not fit has no description of its own.
    if (known === undefined && response.status === 405) return;
    const schema =
      known === undefined
        ? pluginSchema(pluginPaths(), { method, template }, response)
        : (known[response.status] ?? (response.status === 405 ? failure : undefined));
    // Of what a plugin mounted or left open nothing is promised.
    if (schema === null) return;
    if (schema === undefined)
      throw new Error(`${call} answered ${response.status}, which its description does not know`);
    if (!isJson(response) || isFile(schema)) return;
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
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  if (body === null) return null;
  const media = content[type] ?? content["*/*"];
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

const isJson = ({ headers, body }: Response): boolean =>
  body !== null && headers.get("content-type")?.startsWith("application/json") === true;

/** A file may be JSON as well, of which nothing is promised. */
const isFile = (schema: unknown): boolean => Reflect.get(Object(schema), "contentMediaType") !== undefined;
