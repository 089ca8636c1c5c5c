import { limits } from "#contract/limits.ts";
import {
  type DescribedDocument,
  type DescribedParameter,
  type DescribedSchema,
  mapValues,
} from "./described.ts";
import type { Schema } from "./plain-schema.ts";

/** What comes in one form with a call or an answer; without a schema, a file. Source: OpenAPI 3.1 §4.8.14. */
export type DescribedMedia = { schema?: Schema };

/** A response as the document describes it, or a reference to it. Source: OpenAPI 3.1 §4.8.17. */
export type DescribedResponse = {
  description?: string;
  content?: Record<string, DescribedMedia>;
  $ref?: string;
};

/** A call as the document describes it, as far as it is read or written here. Source: OpenAPI 3.1 §4.8.10. */
export type DescribedOperation = {
  operationId?: string;
  security?: object[];
  parameters?: DescribedParameter[];
  requestBody?: { content: Record<string, DescribedMedia> };
  responses: Record<string, DescribedResponse>;
};

/** Calls by path and method. */
export type DescribedPaths = Record<string, Record<string, DescribedOperation>>;

/** What the package writes is of this shape. */
export const asPaths = (paths: object): DescribedPaths => paths as DescribedPaths;

/** Every call with its method and path, in the order of the document. */
export const operationsOf = (
  paths: DescribedPaths,
): { path: string; method: string; operation: DescribedOperation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** What parameters mean that many calls have, or that their route says nothing of. */
const meanings: { readonly [name: string]: string } = {
  limit: "How many rows at most",
  offset: "How many matching rows to skip",
  days: "How many whole days",
  security: "`true`: only security events; `false`: all others; empty: both",
  format: "`csv` (RFC 4180), or one JSON object a line",
  role: "Only users with this role",
  status: "Only those with this status",
  state: "Only those in this state",
  subject: "Only messages with this subject",
  sort: "What to sort by",
  order: "Upwards or downwards",
  place: "Where the backup is stored",
  name: "Name of the plugin or of the file",
  sha: "Part of the path to the files of this version, so that caches can keep them permanently",
  file: "Name of the script",
  after: "Only what comes after the one with this number",
  retainData: "`true` keeps settings, secrets, values, files and grants",
  force: "`true` first disables what needs it",
  section: "Only changes of this section of the settings",
  keepPasskeys: "`true` keeps the user's passkeys",
  allowDowngrade: "`true` accepts an older version, or the same one again",
  provider: "Id of a provider, such as `google`",
};

/** The document with a meaning and a limit for each parameter that has none: no address may be longer than that. */
export const withParameterWords = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.parameters === undefined
        ? operation
        : { ...operation, parameters: operation.parameters.map(completed) },
    ),
  ),
});

const completed = (parameter: DescribedParameter): DescribedParameter => {
  const { name, schema = {}, description = schema.description ?? meanings[name] } = parameter;
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    schema: isOpenText(schema) ? { ...schema, maxLength: limits.urlBytes } : schema,
  };
};

const isOpenText = ({ type, maxLength, pattern, enum: words, format }: DescribedSchema): boolean =>
  type === "string" && [maxLength, pattern, words, format].every((bound) => bound === undefined);
