import type { DescribedParameter } from "./described.ts";
import type { Schema } from "./plain-schema.ts";

/** What comes in one form with a call or an answer; without a schema, a file. Source: OpenAPI 3.1 §4.8.14. */
export type DescribedMedia = { schema?: Schema };

/** An answer as the document describes it, or where that stands. Source: OpenAPI 3.1 §4.8.17. */
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
