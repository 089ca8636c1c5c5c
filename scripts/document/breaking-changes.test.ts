import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { ApiDocument, DescribedOperation, Schema } from "../client/describe-operations.ts";
import { projectRoot } from "../project-root.ts";
import { breakingChanges } from "./breaking-changes.ts";
import { describeOwn, describeShipped } from "./shipped-document.ts";

const folder = join(projectRoot, "docs/api");

/** The one document that was kept with this beginning. Throws when older ones are left. */
const lastRelease = async (beginning: string): Promise<ApiDocument> => {
  const names = readdirSync(folder).filter((name) => new RegExp(`^${beginning}[\\d.]+\\.json$`).test(name));
  expect(names).toHaveLength(1);
  return Bun.file(join(folder, names.join())).json();
};

test("nothing that the last release promised of the application's own calls is broken", async () => {
  const before = await lastRelease("openapi-");
  expect(Object.keys(before.paths).length).toBeGreaterThan(80);
  expect(breakingChanges(before, await describeOwn(packageJson.version))).toEqual([]);
});

test("nothing that the last release promised of its plugins' calls is broken", async () => {
  const before = await lastRelease("openapi-plugins-");
  const after = await describeShipped(packageJson.version);
  const plugins = new Set(Object.keys(before.paths).map((path) => path.split("/")[2] ?? ""));
  expect([...plugins].sort()).toEqual([
    ...["firewall", "licensing", "plugin-template", "web-performance-optimization"],
  ]);
  expect(breakingChanges(before, after)).toEqual([]);
  const { "/api/firewall/status": status, ...others } = after.paths;
  expect(status).toBeDefined();
  expect(breakingChanges(before, { ...after, paths: others })).toEqual([
    "GET /api/firewall/status was removed",
  ]);
});

const note: Schema = {
  type: "object",
  required: ["id", "state"],
  properties: {
    id: { type: "integer" },
    state: { type: "string", enum: ["open", "done"] },
    by: { anyOf: [{ $ref: "#/components/schemas/Person" }, { type: "null" }] },
    tags: { type: "array", items: { type: "string" } },
  },
};
const sent: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["text"],
  properties: {
    text: { type: "string", minLength: 1, maxLength: 100 },
    state: { type: "string", enum: ["open", "done"] },
    rank: { type: ["integer", "null"], minimum: 0, maximum: 10 },
  },
};

const released = () => {
  const operation = {
    security: [{ session: [] }, { token: ["notes:read"] }],
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "limit", in: "query", required: false, schema: { type: "integer", maximum: 100 } },
    ],
    requestBody: { required: true, content: { "application/json": { schema: structuredClone(sent) } } },
    responses: {
      "200": { content: { "application/json": { schema: structuredClone(note) } } },
      "404": { $ref: "#/components/responses/Missing" },
    },
  } satisfies DescribedOperation;
  const person = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
  const failed = { type: "object", required: ["code"], properties: { code: { type: "string" } } };
  return {
    info: { version: "1.0.0" },
    paths: { "/notes/{id}": { put: operation }, "/notes": { get: { security: [], responses: {} } } },
    components: {
      schemas: { Person: person },
      responses: { Missing: { content: { "application/json": { schema: failed } } } },
    },
  };
};

type Released = ReturnType<typeof released>;
type Fields = Record<string, Schema>;
const call = ({ paths }: Released) => paths["/notes/{id}"].put;
const body = (document: Released): Schema => call(document).requestBody.content["application/json"].schema;
const answer = (document: Released): Schema =>
  call(document).responses["200"].content["application/json"].schema;
const fields = ({ properties = {} }: Schema): Fields => properties;

/** A change of the document, and what is said of it. */
const changes: [name: string, change: (document: Released) => unknown, told: string][] = [
  ["a path", (d) => Reflect.deleteProperty(d.paths, "/notes"), "GET /notes was removed"],
  ["a method", (d) => Reflect.deleteProperty(d.paths["/notes/{id}"], "put"), "PUT /notes/{} was removed"],
  ["an answer", (d) => Reflect.deleteProperty(call(d).responses, "404"), "PUT /notes/{} 404 was removed"],
  [
    "an answer's form",
    (d) => Object.assign(call(d).responses["200"], { content: { "text/csv": {} } }),
    "PUT /notes/{} 200 no longer responds with application/json",
  ],
  ["a sign-in method", (d) => call(d).security.pop(), "PUT /notes/{} no longer accepts `token`"],
  [
    "a token's right to read",
    (d) => Object.assign(call(d).security[1] ?? {}, { token: ["notes:write"] }),
    "PUT /notes/{} requires more of `token`: notes:write",
  ],
  [
    "narrow tokens' access",
    (d) => Object.assign(call(d).security[1] ?? {}, { token: ["*"] }),
    "PUT /notes/{} requires more of `token`: *",
  ],
  [
    "access from all but admins",
    (d) => Object.assign(call(d).security[0] ?? {}, { session: ["admin"] }),
    "PUT /notes/{} requires more of `session`: admin",
  ],
  [
    "being open",
    (d) => Object.assign(d.paths["/notes"].get, { security: [{ session: [] }] }),
    "GET /notes now needs authentication",
  ],
  ["a parameter", (d) => call(d).parameters.pop(), "PUT /notes/{} ?limit is no longer accepted"],
  [
    "leaving a parameter out",
    (d) => Object.assign(call(d).parameters[1] ?? {}, { required: true }),
    "PUT /notes/{} ?limit is now required",
  ],
  [
    "calling without a new parameter",
    (d) =>
      call(d).parameters.push({
        name: "q",
        in: "query",
        required: true,
        schema: { type: "string" } as never,
      }),
    "PUT /notes/{} ?q is now required",
  ],
  [
    "a large number",
    (d) => Object.assign(call(d).parameters[1]?.schema ?? {}, { maximum: 50 }),
    "PUT /notes/{} ?limit has a smaller `maximum`: 50",
  ],
  ["leaving a field out", (d) => body(d).required?.push("state"), "PUT /notes/{} body.state is now required"],
  [
    "a field of the body",
    (d) => Reflect.deleteProperty(fields(body(d)), "rank"),
    "PUT /notes/{} body.rank is no longer accepted",
  ],
  ["a word", (d) => fields(body(d)).state?.enum?.pop(), 'PUT /notes/{} body.state no longer accepts "done"'],
  [
    "any word",
    (d) => Object.assign(fields(body(d)).text ?? {}, { enum: ["a"] }),
    "PUT /notes/{} body.text accepts only certain values",
  ],
  [
    "a kind of value",
    (d) => Object.assign(fields(body(d)).rank ?? {}, { type: "integer" }),
    "PUT /notes/{} body.rank no longer accepts null",
  ],
  [
    "any form of text",
    (d) => Object.assign(fields(body(d)).text ?? {}, { pattern: "^a" }),
    "PUT /notes/{} body.text has a different `pattern`: ^a",
  ],
  [
    "a short text",
    (d) => Object.assign(fields(body(d)).text ?? {}, { minLength: 2 }),
    "PUT /notes/{} body.text has a larger `minLength`: 2",
  ],
  [
    "a field of an answer",
    (d) => Reflect.deleteProperty(fields(answer(d)), "tags"),
    "PUT /notes/{} 200.tags was removed",
  ],
  [
    "a field that was always there",
    (d) => Object.assign(answer(d), { required: ["id"] }),
    "PUT /notes/{} 200.state may be missing",
  ],
  [
    "an answer's kind",
    (d) => Object.assign(fields(answer(d)).id ?? {}, { type: ["integer", "null"] }),
    "PUT /notes/{} 200.id may be null",
  ],
  [
    "knowing what is in a list",
    (d) => Object.assign(fields(answer(d)).tags?.items ?? {}, { type: "object" }),
    "PUT /notes/{} 200.tags[] may be object",
  ],
  [
    "a field of a shared schema",
    (d) => Reflect.deleteProperty(d.components.schemas.Person.properties, "name"),
    "PUT /notes/{} 200.by may be object in a different form",
  ],
  [
    "a field of a shared answer",
    (d) =>
      Reflect.deleteProperty(
        d.components.responses.Missing.content["application/json"].schema.properties,
        "code",
      ),
    "PUT /notes/{} 404.code was removed",
  ],
];

/** Changes of what a token needs, from right to right, that break nobody. */
const easings: [from: string[], to: string[]][] = [
  [["notes:write"], ["notes:read"]],
  [["*"], ["notes:write"]],
  [["notes:read"], []],
  [["users:read", "notes:write"], ["notes:read"]],
];

/** Changes that break nobody. */
const additions: [name: string, change: (document: Released) => unknown][] = [
  ["a path", (d) => Object.assign(d.paths, { "/more": { get: { responses: {} } } })],
  [
    "an optional parameter",
    (d) => call(d).parameters.push({ name: "q", in: "query", required: false, schema: {} as never }),
  ],
  ["an optional field", (d) => Object.assign(fields(body(d)), { note: { type: "string" } })],
  ["a field of an answer", (d) => Object.assign(fields(answer(d)), { note: { type: "string" } })],
  ["a word that is taken", (d) => fields(body(d)).state?.enum?.push("late")],
  ["a word that is answered", (d) => fields(answer(d)).state?.enum?.push("late")],
  ["longer texts", (d) => Object.assign(fields(body(d)).text ?? {}, { maxLength: 200 })],
  [
    "another name for a part of the path",
    (d) =>
      Object.assign(d, { paths: { "/notes/{note}": d.paths["/notes/{id}"], "/notes": d.paths["/notes"] } }),
  ],
  [
    "a schema where it was referred to",
    (d) =>
      Object.assign(fields(answer(d)).by?.anyOf?.[0] ?? {}, {
        $ref: undefined,
        ...d.components.schemas.Person,
      }),
  ],
];

describe("a document", () => {
  test.each(changes)("that takes away %s is told from the released one", (_, change, told) => {
    const after = released();
    change(after);
    expect(breakingChanges(released() as ApiDocument, after as ApiDocument)).toEqual([told]);
  });

  test.each(easings)("whose tokens need %j instead of %j breaks no caller", (from, to) => {
    const [before, after] = [released(), released()];
    Object.assign(call(before).security[1] ?? {}, { token: from });
    Object.assign(call(after).security[1] ?? {}, { token: to });
    expect(breakingChanges(before as ApiDocument, after as ApiDocument)).toEqual([]);
  });

  test.each(additions)("that adds %s breaks no caller", (_, change) => {
    const after = released();
    change(after);
    expect(breakingChanges(released() as ApiDocument, after as ApiDocument)).toEqual([]);
  });
});
