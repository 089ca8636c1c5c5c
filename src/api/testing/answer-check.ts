import { generalFailures } from "#api/http/general-failures.ts";
import type { DeclaredRoute } from "#api/http/route-table.ts";
import { failure, failures } from "#api/modules/fields.ts";
import { describedSchemas } from "./described-schema.ts";

/** Looks at an answer to a call of a route. Throws when the API's document does not say that it may be so. */
export type AnswerCheck = (route: { method: string; template: string }, response: Response) => Promise<void>;

/**
 * Checks of answers by the schemas that the document is made of. Those are taken from the routes themselves, and made ready
 * when they are first needed: to write the whole document for each file of tests would cost more than most of their tests.
 */
export const createAnswerCheck = (declared: readonly DeclaredRoute[]): AnswerCheck => {
  const answers = new Map(
    declared.map((route) => [
      `${route.method} ${route.path}`,
      { ...generalOf(route), ...Object(Reflect.get(Object(route.hooks), "response")) },
    ]),
  );
  return async ({ method, template }, response) => {
    const call = `${method} ${template}`;
    const known = answers.get(call);
    // Routes of plugins have no schemas.
    if (known === undefined) return;
    const { status } = response;
    // What the method does not fit has no description of its own.
    const schema: unknown = known[status] ?? (status === 405 ? failure : undefined);
    if (schema === undefined)
      throw new Error(`${call} answered ${status}, which its description does not know`);
    if (!isJson(response) || isFile(schema)) return;
    const body: unknown = await response.clone().json();
    const [error] = checkOf(Object(schema))(body);
    if (error === undefined) return;
    const { path, message } = error;
    throw new Error(`${call} answered ${status} with something else than it describes: ${path}: ${message}`);
  };
};

const generalOf = (route: DeclaredRoute): Record<string, unknown> => failures(...generalFailures(route));

// The schemas stand in modules: what is made of one serves every host of a file.
const { check: checkOf } = describedSchemas({}, { isClosed: true });

const isJson = ({ headers, body }: Response): boolean =>
  body !== null && headers.get("content-type")?.startsWith("application/json") === true;

/** A file may be JSON as well, of which nothing is promised. */
const isFile = (schema: unknown): boolean => Reflect.get(Object(schema), "contentMediaType") !== undefined;
