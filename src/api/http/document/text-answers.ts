import type { DescribedContent, DescribedDocument } from "./described.ts";
import { mapValues } from "./map-values.ts";

/** The document with a schema for each answer that is text, and each form of one that can be had in several. */
export const withTextAnswers = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.responses === undefined
        ? operation
        : { ...operation, responses: mapValues(operation.responses, completed) },
    ),
  ),
});

const completed = (response: DescribedContent): DescribedContent => {
  const { content } = response;
  if (content === undefined || !Object.keys(content).some(isText)) return response;
  const table = content["text/csv"];
  // Tables are the one form of an export, lines of JSON the other: see `format`. Plugins describe theirs whole.
  const isExport = table !== undefined && table.schema === undefined;
  const all = isExport ? { ...content, "application/x-ndjson": {} } : content;
  return {
    ...response,
    content: mapValues(all, (media, type) =>
      isText(type) && media.schema === undefined ? { ...media, schema: { type: "string" } } : media,
    ),
  };
};

const isText = (type: string): boolean => type.startsWith("text/") || type === "application/x-ndjson";
