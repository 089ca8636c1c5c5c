import { describe, expect, test } from "bun:test";
import { failure, failures } from "#api/modules/fields.ts";
import { describeResponses, openAnswer } from "./describe-responses.ts";
import { generalFailures } from "./general-failures.ts";

const statusesOf = (method: string, path: string, hooks: object = {}) =>
  Object.keys(failures(...generalFailures({ method, path, hooks }))).map(Number);

describe("the failures that any request can end in", () => {
  test("is less for health probes, which are accepted under any host name and never counted", () => {
    expect(statusesOf("GET", "/api/health")).toEqual([400, 414, 422, 500]);
    expect(statusesOf("GET", "/api/ready")).toEqual([400, 414, 422, 500, 503]);
    expect(statusesOf("GET", "/api/metrics")).toEqual([400, 414, 421, 422, 500, 503]);
  });

  test("includes limits, rules and wrong tokens, also for public routes", () => {
    const hooks = { access: "public" };
    expect(statusesOf("GET", "/api/plugins", hooks)).toEqual([400, 401, 403, 414, 421, 422, 429, 500, 503]);
  });

  test("includes unknown paths where the path has parameters", () => {
    expect(statusesOf("GET", "/api/plugins/:name")).toContain(404);
    expect(statusesOf("GET", "/api/plugins/:name/assets/:sha/*", { isShared: true })).toContain(404);
    expect(statusesOf("GET", "/api/plugins")).not.toContain(404);
  });

  test("includes no wrong tokens where tokens are ignored", () => {
    for (const [path, hooks] of [
      ["/swagger/json", {}],
      ["/api/plugin-host/react.js", { isShared: true }],
    ] as const)
      expect(statusesOf("GET", path, hooks)).not.toContain(401);
  });

  test("includes failures of bodies and changes only where there are some", () => {
    expect(statusesOf("DELETE", "/api/account/sessions")).toEqual([
      400, 401, 403, 413, 414, 421, 422, 429, 500, 503, 507,
    ]);
    for (const hooks of [{ body: {} }, { upload: "plugin" }, { messages: true }])
      expect(statusesOf("POST", "/api/notes", hooks)).toEqual(
        expect.arrayContaining([408, 413, 415, 422, 507]),
      );
    const byCookie = { stateChange: "by-cookie" };
    expect(generalFailures({ method: "GET", path: "/api/auth/logout", hooks: byCookie })).toContain(
      "CROSS_ORIGIN",
    );
    expect(generalFailures({ method: "GET", path: "/api/account", hooks: {} })).not.toContain("CROSS_ORIGIN");
  });
});

/** What is described of a call with an answer and a failure, whose schemas are as given. */
const described = (answer: object, failed: object) => {
  const media = (schema: object) => ({ content: { "application/json": { schema: { ...schema } } } });
  const paths = { "/api/notes": { get: { responses: { 200: media(answer), 404: media(failed) } } } };
  return { failures: describeResponses(paths), paths };
};

test("answers are described alike before and after the framework has closed their schemas", () => {
  const answer = { type: "object", properties: { id: { type: "string" } } };
  const before = described(answer, { ...failure, additionalProperties: undefined });
  const closed = { additionalProperties: false };
  expect(described({ ...answer, ...closed }, { ...failure, ...closed })).toEqual(before);
  expect(openAnswer({ ...failure, ...closed })).not.toHaveProperty("additionalProperties");
  const values = { type: "object", additionalProperties: { type: "number" } };
  expect(openAnswer(values)).toEqual(values);
});
