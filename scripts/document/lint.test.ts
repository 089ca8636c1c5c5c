import { describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { completeDocument } from "#api/http/document/complete.ts";
import type { DescribedDocument } from "#api/http/document/described.ts";
import { lintDocument } from "./lint-document.ts";

const written: unknown = await describeRoutes({ version: "1.0.0", appUrl: "https://atrium.test" })();
const document = completeDocument(written as DescribedDocument);

describe("the linter of OpenAPI documents", () => {
  test("has nothing against the API's document", async () => {
    expect(await lintDocument(document)).toEqual([]);
  });

  test("sees what is planted: a tag that nobody explains, an example that does not fit, a reference into nothing", async () => {
    const planted = structuredClone(document) as Record<"paths", Record<string, Record<string, object>>>;
    const health = planted.paths["/api/health"]?.get ?? {};
    Object.assign(health, {
      tags: ["Elsewhere"],
      responses: {
        200: { description: "", content: { "application/json": { schema: { type: "string" }, example: 3 } } },
        400: { $ref: "#/components/responses/Absent" },
      },
    });
    const told = (await lintDocument(planted)).map((complaint) => complaint.split(":")[0]);
    expect(new Set(told)).toEqual(
      new Set(["operation-tag-defined", "no-invalid-media-type-examples", "no-unresolved-refs"]),
    );
  });
});
