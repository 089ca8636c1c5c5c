import { describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { completeDocument } from "./complete.ts";
import type { DescribedContent, DescribedDocument } from "./described.ts";
import { withExamples } from "./example-of.ts";

const written: unknown = await describeRoutes({ version: "1.0.0", appUrl: "http://localhost:3000" })();
const document = completeDocument(written as DescribedDocument);
const { resolve } = describedSchemas(document);

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
