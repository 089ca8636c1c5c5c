import { describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { completeDocument } from "./complete.ts";
import type {
  DescribedContent,
  DescribedDocument,
  DescribedParameter,
  DescribedSchema,
} from "./described.ts";

type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: DescribedParameter[];
  responses: { [status: string]: DescribedContent & { description?: string } };
};
type Whole = DescribedDocument & { tags?: { name: string }[]; components: { securitySchemes: object } };

const written: unknown = await describeRoutes({ version: "1.0.0", appUrl: "http://localhost:3000" })();
const document = completeDocument(written as Whole);
const { resolve } = describedSchemas(document);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    place: `${method} ${path}`,
    ...(operation as unknown as Operation),
  })),
);

/** The places of which `isWrong` holds. */
const places = (isWrong: (operation: Operation) => boolean) =>
  operations.filter(isWrong).map(({ place }) => place);

describe("each call in the API's document", () => {
  test("has a summary of one line, and a description that says more than it", () => {
    expect(operations.length).toBeGreaterThan(90);
    expect(
      places(({ summary = "" }) => summary === "" || summary.length > 120 || /[.\n]$/.test(summary)),
    ).toEqual([]);
    expect(
      places(
        ({ summary, description }) =>
          description !== undefined && (description === "" || description === summary),
      ),
    ).toEqual([]);
  });

  test("has an id of its own, and stands below one of the document's headings", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const headings = document.tags?.map(({ name }) => name);
    expect(places(({ tags = [] }) => tags.length !== 1)).toEqual([]);
    if (headings) expect(places(({ tags = [] }) => !tags.every((tag) => headings.includes(tag)))).toEqual([]);
  });

  test("says who may make it, in terms that the document explains", () => {
    const schemes = Object.keys(document.components.securitySchemes);
    expect(places(({ security }) => !Array.isArray(security))).toEqual([]);
    expect(
      places(({ security = [] }) =>
        security.flatMap((each) => Object.keys(each)).some((name) => !schemes.includes(name)),
      ),
    ).toEqual([]);
  });

  test("explains each of its parameters and says where it ends", () => {
    const all = operations.flatMap(({ place, parameters = [] }) =>
      parameters.map(({ name, description, schema = {} }) => ({
        at: `${place} ${name}`,
        description,
        schema,
      })),
    );
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ description = "" }) => description.length < 8).map(({ at }) => at)).toEqual([]);
    expect(all.filter(({ schema }) => !isBounded(schema)).map(({ at }) => at)).toEqual([]);
  });

  test("says what it answers when it works, and has a schema for each answer that is no file", () => {
    expect(places(({ responses }) => !Object.keys(responses).some((status) => /^[23]/.test(status)))).toEqual(
      [],
    );
    const answers = operations.flatMap(({ place, responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        at: `${place} ${status}`,
        content: (resolve(response) as DescribedContent).content ?? {},
      })),
    );
    const isBare = ([type, { schema }]: [string, { schema?: DescribedSchema }]) =>
      !/zip|octet-stream|\*/.test(type) && schema === undefined;
    expect(answers.filter(({ content }) => Object.entries(content).some(isBare)).map(({ at }) => at)).toEqual(
      [],
    );
    expect(answers.filter(({ content }) => Object.keys(content).length === 0).map(({ at }) => at)).toEqual(
      [],
    );
  });
});

const isBounded = (schema: DescribedSchema): boolean => {
  const { type, minimum, maximum, maxLength, pattern, format, enum: words, anyOf } = schema;
  if (anyOf) return anyOf.every(isBounded);
  if (words !== undefined || "const" in schema) return true;
  if (type === "integer" || type === "number") return minimum !== undefined && maximum !== undefined;
  if (type === "boolean") return true;
  return type === "string" && [maxLength, pattern, format].some((bound) => bound !== undefined);
};
