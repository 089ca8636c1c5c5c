import { describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { completeDocument, withExamples } from "./complete.ts";
import type { DescribedContent, DescribedDocument, DescribedParameter, DescribedSchema } from "./paths.ts";

type Operation = {
  summary?: string;
  description?: string;
  parameters?: DescribedParameter[];
  requestBody?: DescribedContent;
  responses: { [status: string]: DescribedContent & { description?: string } };
};

const written: unknown = await describeRoutes({
  version: "1.0.0",
  appUrl: "http://localhost:3000",
  hasMcp: true,
})();
const document = completeDocument(written as DescribedDocument);
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
        ({ summary = "", description = "" }) => description.length < 20 || description.trim() === summary,
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
    expect(all.flatMap(({ at, schema }) => unbounded(schema, at))).toEqual([]);
  });

  test("says where each field of its body ends, and how large all of it may be", () => {
    const all = operations.flatMap(({ place, requestBody }) =>
      requestBody === undefined ? [] : [{ place, requestBody }],
    );
    expect(all.length).toBeGreaterThan(30);
    expect(
      all
        .filter(({ requestBody: { description = "" } }) => !/at most \d+ MB/.test(description))
        .map(({ place }) => place),
    ).toEqual([]);
    const open = all.flatMap(({ place, requestBody }) =>
      Object.values(requestBody.content ?? {}).flatMap(({ schema = {} }) => unbounded(schema, place)),
    );
    expect(open).toEqual([...openByNature]);
  });

  test("that has a field without an end is found, wherever the field is", () => {
    const text = { type: "string" };
    const found = (schema: DescribedSchema) => unbounded(schema, "it");
    expect(found({ type: "object", properties: { a: text, b: { type: "string", maxLength: 1 } } })).toEqual([
      "it.a",
    ]);
    expect(found({ type: "array", items: { enum: ["a"] } })).toEqual(["it[]"]);
    expect(found({ type: "array", maxItems: 2, items: text })).toEqual(["it[]"]);
    expect(found({ anyOf: [{ type: "null" }, text] })).toEqual(["it"]);
    expect(found({ type: "object", additionalProperties: { type: "integer", minimum: 1 } })).toEqual([
      "it{}",
    ]);
    expect(found({ type: "number", minimum: 1, maximum: 2 })).toEqual([]);
  });

  test("says what it answers when it works, and has a schema for each answer, downloads included", () => {
    expect(places(({ responses }) => !Object.keys(responses).some((status) => /^[23]/.test(status)))).toEqual(
      [],
    );
    const answers = operations.flatMap(({ place, responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        at: `${place} ${status}`,
        content: (resolve(response) as DescribedContent).content ?? {},
      })),
    );
    const isBare = ({ schema = {} }: { schema?: DescribedSchema }) => Object.keys(schema).length === 0;
    expect(answers.filter(({ content }) => Object.values(content).some(isBare)).map(({ at }) => at)).toEqual(
      [],
    );
    const isEmpty = ({ content }: { content: object }) => Object.keys(content).length === 0;
    expect(answers.filter(isEmpty).filter(({ at }) => !/ (?:431|505)$/.test(at))).toEqual([]);
  });

  test("names what the HTTP parser answers to every request, without a body", () => {
    for (const status of ["431", "505"])
      expect(
        places(({ responses }) => resolve(responses[status] ?? {}) === undefined || !(status in responses)),
      ).toEqual([]);
    expect(document.components?.responses?.Failure431).toEqual({
      description: "Request Header Fields Too Large: from the HTTP parser, without a body",
    });
  });
});

/** What others define: passkeys by browsers, settings by the plugin whose they are, messages of assistants by their protocol. */
const openByNature = [
  "post /api/account/confirm.response{}",
  "post /api/auth/login/factor.response{}",
  "post /api/auth/passkey.response{}",
  "post /api/auth/invitations/{token}.response{}",
  "post /api/account/passkeys.response{}",
  "put /api/plugins/{name}/settings.values{}",
  "post /mcp.id",
  "post /mcp.params",
];

/** The places below `at` that a schema sets no bounds to; a file is as large as its form may be. */
const unbounded = (schema: DescribedSchema, at: string): string[] => {
  const {
    type,
    properties,
    additionalProperties,
    items,
    maxItems,
    anyOf,
    enum: words,
    ...rest
  } = asResolved(schema);
  if (anyOf) return anyOf.flatMap((form) => unbounded(form, at));
  if (words !== undefined || "const" in rest) return [];
  if (properties !== undefined || typeof additionalProperties === "object")
    return [
      ...Object.entries(properties ?? {}).flatMap(([name, inner]) => unbounded(inner, `${at}.${name}`)),
      ...(typeof additionalProperties === "object" ? unbounded(additionalProperties, `${at}{}`) : []),
    ];
  if (type === "array") return maxItems === undefined ? [`${at}[]`] : unbounded(items ?? {}, `${at}[]`);
  return [type ?? ""].flat().every((each) => isBounded(each, rest)) ? [] : [at];
};

const isBounded = (
  type: string,
  { minimum, maximum, maxLength, pattern, format, ...rest }: DescribedSchema,
) => {
  if (type === "integer" || type === "number") return minimum !== undefined && maximum !== undefined;
  if (type === "boolean" || type === "null") return true;
  const isFile = "contentMediaType" in rest;
  return type === "string" && (isFile || [maxLength, pattern, format].some((bound) => bound !== undefined));
};

// A reference to a schema leads to one.
const asResolved = (schema: DescribedSchema): DescribedSchema => resolve(schema) as DescribedSchema;

type Shown = { place: string; type: string; schema: object | undefined; example: unknown };

/** All that is sent and answered, by where it stands. */
const shown = (described: DescribedDocument): Shown[] =>
  Object.entries(described.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses = {} }]) =>
      Object.entries({ ...responses, ...(requestBody ? { body: requestBody } : {}) }).flatMap(
        ([part, holder]) =>
          Object.entries(contentOf(holder)).map(([type, { schema, example }]) => ({
            ...{ place: `${method} ${path} ${part}`, type, schema, example },
          })),
      ),
    ),
  );
const contentOf = (holder: object) => (resolve(holder) as DescribedContent).content ?? {};

/** What no example can show: bytes, and files of any kind. */
const isBinary = (type: string) => ["application/zip", "application/octet-stream", "*/*"].includes(type);

describe("the examples of the API's document", () => {
  const all = shown(document);

  test("are there for each body and each answer, failures included", () => {
    expect(all.length).toBeGreaterThan(500);
    const without = all.filter(({ type, example }) => example === undefined && !isBinary(type));
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  test("look as real values do, and hold no secret", () => {
    const texts = all.map(({ place, example }) => [place, JSON.stringify(example) ?? ""] as const);
    expect(texts.filter(([, text]) => /"…"|(?<!"type":)"(?:string|foo|test)"|lorem/i.test(text))).toEqual([]);
    // Tokens, keys and hashes of passwords as Atrium makes them.
    expect(texts.filter(([, text]) => /atr_\w|\$argon2|PRIVATE KEY|"[A-Za-z0-9_-]{43}"/.test(text))).toEqual(
      [],
    );
  });

  test("that a route gives itself are kept", () => {
    const own = { "text/plain": { schema: { type: "string" }, example: "mine" } };
    const kept = withExamples({ paths: { "/a": { get: { responses: { 200: { content: own } } } } } });
    expect(shown(kept).map(({ example }) => example)).toEqual(["mine"]);
  });
});
