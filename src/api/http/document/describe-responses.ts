import { STATUS_CODES } from "node:http";
import { failure } from "#api/modules/fields.ts";
import { errorStatus, parserRemedies } from "#contract/errors.ts";
import {
  type DescribedMedia,
  type DescribedPaths,
  type DescribedResponse,
  mapChildren,
  operationsOf,
  type Schema,
} from "./paths.ts";

/**
 * Names the answers of the application's own calls, and puts a reference in the place of each failure; answers with the
 * failures that they are to, by name. Each says which codes its body may hold.
 */
export const describeResponses = (paths: DescribedPaths): Record<string, DescribedResponse> => {
  const failures: Record<string, DescribedResponse> = {};
  for (const { operation } of operationsOf(paths)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (isFailure(response)) failures[nameOf(status)] ??= failureOf(status);
      operation.responses[status] = isFailure(response) ? referenceTo(status) : named(status, response);
    }
    for (const status of onlyOfParser) {
      failures[nameOf(status)] ??= failureOf(status);
      operation.responses[status] = referenceTo(status);
    }
  }
  return failures;
};

const failureReference: Schema = { $ref: "#/components/schemas/Failure" };

const nameOf = (status: string): string => `Failure${status}`;
const referenceTo = (status: string): DescribedResponse => ({
  $ref: `#/components/responses/${nameOf(status)}`,
});

/** Statuses that no endpoint answers, only the HTTP parser. */
const onlyOfParser = Object.keys(parserRemedies).filter(
  (status) => !Object.values(errorStatus).some((its) => `${its}` === status),
);

const failureOf = (status: string): DescribedResponse => {
  const name = STATUS_CODES[status] ?? "";
  const codes = Object.entries(errorStatus).filter(([, its]) => `${its}` === status);
  if (codes.length === 0) return { description: `${name}: from the HTTP parser, without a body` };
  const unparsed = status in parserRemedies ? "; from the HTTP parser without a body" : "";
  return {
    description: `${name}: ${codes.map(([code]) => `\`${code}\``).join(", ")}${unparsed}`,
    content: { "application/json": { schema: failureReference } },
  };
};

const isFailure = ({ content = {} }: DescribedResponse): boolean =>
  Object.values(content).some(({ schema }) => schema?.title === failure.title);

/**
 * The schema of an answer, with fields to come: whoever reads one passes over what it does not know. The framework closes
 * them at the first call of each route, so that the description would depend on what was called before.
 */
export const openAnswer = ({ additionalProperties, ...schema }: Schema): Schema =>
  additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };

/** The same where one of several forms is a failure. */
const withReference = (schema: Schema): Schema =>
  schema.title === failure.title ? failureReference : mapChildren(schema, withReference);

const named = (status: string, response: DescribedResponse): DescribedResponse => {
  const { description = "" } = response;
  const content = Object.fromEntries(
    Object.entries(response.content ?? {}).map(([type, media]) => [
      type,
      media.schema ? { ...media, schema: withReference(openAnswer(media.schema)) } : media,
    ]),
  );
  const type = Object.values(content)[0]?.schema?.contentMediaType;
  return {
    ...response,
    ...(response.content ? { content } : {}),
    // The package's own words are about the number alone.
    description: description.startsWith("Response for status") ? (STATUS_CODES[status] ?? "") : description,
    // Files are described as JSON by then. Source: OpenAPI 3.1 §4.8.14.2.
    ...(typeof type === "string" ? { content: { [type]: fileMedia(type) } } : {}),
  };
};

/** Text gets its schema when the document is completed. A file of any type counts as bytes. Source: RFC 2046 §4.5.1. */
const fileMedia = (type: string): DescribedMedia =>
  type.startsWith("text/")
    ? {}
    : { schema: { type: "string", contentMediaType: type === "*/*" ? "application/octet-stream" : type } };
