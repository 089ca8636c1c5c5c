import { limits } from "#contract/limits.ts";
import type { DescribedContent, DescribedDocument } from "./described.ts";
import { mapValues } from "./map-values.ts";

/** The document with the size that each body may have, in words: JSON Schema has none for it. */
export const withBodySizes = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.requestBody === undefined
        ? operation
        : { ...operation, requestBody: completed(operation.requestBody) },
    ),
  ),
});

const completed = (body: DescribedContent): DescribedContent => {
  if (body.$ref !== undefined || body.description !== undefined) return body;
  const isForm = body.content?.["multipart/form-data"] !== undefined;
  return { ...body, description: isForm ? formSize : jsonSize };
};

const jsonSize = `JSON in UTF-8, at most ${limits.jsonBodyBytes / 1_000_000} MB`;
const formSize = `A form with exactly one file, a zip of at most ${limits.uploadBytes / 1_000_000} MB`;
