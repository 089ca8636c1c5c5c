import { describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { completeDocument } from "#api/http/document/complete.ts";
import type { DescribedDocument } from "#api/http/document/paths.ts";
import { lintDocument } from "./lint-document.ts";

const written: unknown = await describeRoutes({
  version: "1.0.0",
  appUrl: "https://atrium.test",
  hasMcp: true,
})();
const document = completeDocument(written as DescribedDocument);

type Planted = {
  paths: Record<string, Record<string, { operationId?: string }>>;
  components: { schemas: Record<string, object> };
};

describe("the linter of OpenAPI documents", () => {
  test("has nothing against the API's document", async () => {
    expect(await lintDocument(document)).toEqual([]);
  });

  test("sees what is planted, one fault of each kind that no other test looks for", async () => {
    const planted = structuredClone(document) as Planted;
    const health = planted.paths["/api/health"]?.get ?? {};
    Object.assign(health, {
      operationId: Object.values(planted.paths["/api/ready"] ?? {})[0]?.operationId,
      tags: ["Elsewhere", "Anywhere"],
      security: [{ nobody: [] }],
      responses: {
        200: { description: "", content: { "application/json": { schema: { type: "string" }, example: 3 } } },
        400: { $ref: "#/components/responses/Absent" },
      },
    });
    planted.paths["/api/planted/{id}"] = { get: { ...health, operationId: "planted" } };
    planted.components.schemas.Planted = { type: "string" };
    const told = (await lintDocument(planted)).map((complaint) => complaint.split(":")[0]);
    expect([...new Set(told)].sort()).toEqual([
      "no-invalid-media-type-examples",
      "no-unresolved-refs",
      "no-unused-components",
      "operation-operationId-unique",
      "operation-singular-tag",
      "operation-tag-defined",
      "path-parameters-defined",
      "security-defined",
    ]);
  });
});
