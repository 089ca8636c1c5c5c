import { STATUS_CODES } from "node:http";
import { failure } from "#api/modules/fields.ts";
import { errorStatus } from "#contract/errors.ts";
import { type DescribedPaths, type DescribedResponse, operationsOf } from "./api-document-paths.ts";

/**
 * Names the answers of the application's own calls, and puts a reference in the place of each failure; answers with the
 * failures that they are to, by name. Each says which codes its body may hold.
 */
export const describeResponses = (paths: DescribedPaths): Record<string, DescribedResponse> => {
  const failures: Record<string, DescribedResponse> = {};
  for (const { operation } of operationsOf(paths))
    for (const [status, response] of Object.entries(operation.responses)) {
      const name = `Failure${status}`;
      if (isFailure(response)) failures[name] ??= failureOf(status);
      operation.responses[status] = isFailure(response)
        ? { $ref: `#/components/responses/${name}` }
        : named(status, response);
    }
  return failures;
};

const failureOf = (status: string): DescribedResponse => {
  const codes = Object.entries(errorStatus).filter(([, its]) => `${its}` === status);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map(([code]) => `\`${code}\``).join(", ")}`,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
  };
};

const isFailure = ({ content = {} }: DescribedResponse): boolean =>
  Object.values(content).some(({ schema }) => schema?.title === failure.title);

const named = (status: string, response: DescribedResponse): DescribedResponse => {
  const { description = "", content = {} } = response;
  const type = Object.values(content)[0]?.schema?.contentMediaType;
  return {
    ...response,
    // The package's own words are about the number alone.
    description: description.startsWith("Response for status") ? (STATUS_CODES[status] ?? "") : description,
    // Files are described as JSON by then. Source: OpenAPI 3.1 §4.8.14.2.
    ...(typeof type === "string" ? { content: { [type]: {} } } : {}),
  };
};
