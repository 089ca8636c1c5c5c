import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type {
  DescribedContent,
  DescribedDocument,
  DescribedParameter,
  DescribedSchema,
} from "#api/http/document/paths.ts";
import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { createDispatchHost } from "#api/testing/dispatch-host.ts";
import type { TestClient, TestHost } from "#api/testing/host.ts";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import { lintAnswered } from "./lint-document.ts";

type Operation = {
  place: string;
  method: string;
  path: string;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security: object[];
  parameters?: DescribedParameter[];
  requestBody?: DescribedContent;
  responses: { [status: string]: DescribedContent & { description?: string } };
};

let host: TestHost;
let plugins: LivePlugin[];
let admin: TestClient;
let document: DescribedDocument & { tags: { name: string }[] };
let operations: Operation[];
let schemas: ReturnType<typeof describedSchemas>;

beforeAll(async () => {
  const on = await createDispatchHost();
  ({ host, admin } = on);
  plugins = await startShippedPlugins();
  for (const live of plugins) on.routes.open(live);
  document = await (await admin.call("GET", "/swagger/json")).json();
  schemas = describedSchemas(document);
  const names = plugins.map(({ manifest }) => manifest.name);
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    names.some((name) => path.startsWith(`/api/${name}/`))
      ? Object.entries(item).map(([method, operation]) => ({
          ...{ place: `${method} ${path}`, method, path },
          ...(operation as unknown as Operation),
        }))
      : [],
  );
});
afterAll(async () => {
  await Promise.all(plugins.map(({ runtime }) => runtime.stop("shutdown")));
  await host.close();
});

/** The places of which `isWrong` holds. */
const places = (isWrong: (operation: Operation) => boolean) =>
  operations.filter(isWrong).map(({ place }) => place);

/** All that is sent and answered by calls of plugins, by where it stands. */
const shown = () =>
  operations.flatMap(({ place, requestBody, responses }) =>
    Object.entries({ ...responses, ...(requestBody ? { body: requestBody } : {}) }).flatMap(
      ([part, holder]) =>
        Object.entries((schemas.resolve(holder) as DescribedContent).content ?? {}).map(([type, media]) => ({
          ...{ at: `${place} ${part}`, type, ...media },
        })),
    ),
  );

describe("in the document with the plugins that are part of Atrium, each of their calls", () => {
  test("has a summary of one line, and a description that says more", () => {
    expect(operations.length).toBeGreaterThan(50);
    expect(
      places(({ summary = "" }) => summary === "" || summary.length > 120 || /[.\n]$/.test(summary)),
    ).toEqual([]);
    expect(
      places(({ summary, description = "" }) => description.length < 20 || description === summary),
    ).toEqual([]);
    expect(places(({ description = "" }) => description.includes("doesn't describe it further"))).toEqual([]);
  });

  test("explains its parameters and says where they end", () => {
    const all = operations.flatMap(({ place, parameters = [] }) =>
      parameters.map((parameter) => ({ at: `${place} ${parameter.name}`, ...parameter })),
    );
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(({ description = "" }) => description.length < 8).map(({ at }) => at)).toEqual([]);
    expect(all.filter(({ description = "" }) => description.includes("the plugin calls"))).toEqual([]);
    const isBounded = ({ maxLength, pattern, enum: words }: DescribedSchema): boolean =>
      [maxLength, pattern, words].some((bound) => bound !== undefined);
    expect(all.filter(({ schema = {} }) => !isBounded(schema)).map(({ at }) => at)).toEqual([]);
  });

  test("leaves nothing open that it answers, and has what it sends and answers with a schema and an example", () => {
    expect(places(({ responses }) => "default" in responses)).toEqual([]);
    expect(places(({ responses }) => !Object.keys(responses).some((status) => /^[23]/.test(status)))).toEqual(
      [],
    );
    const withoutContent = operations.flatMap(({ place, responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        Object.keys((schemas.resolve(response) as DescribedContent).content ?? {}).length === 0
          ? [`${place} ${status}`]
          : [],
      ),
    );
    expect(withoutContent.filter((at) => !at.endsWith(" 204"))).toEqual([]);
    const all = shown();
    expect(all.filter(({ schema, example }) => schema === undefined || example === undefined)).toEqual([]);
  });

  test("is for whom the pipeline lets in", () => {
    const securityAt = (path: string, method: string) =>
      operations.find((one) => one.path === path && one.method === method)?.security;
    expect(securityAt("/api/licensing/status", "get")).toEqual([]);
    expect(securityAt("/api/plugin-template/me", "get")).toEqual([{ session: [] }, { operator: [] }]);
    for (const [path, method, scope] of [
      ["/api/firewall/status", "get", "plugins:read"],
      ["/api/licensing/config", "get", "plugins:read"],
      ["/api/firewall/config", "put", "plugins:write"],
    ] as const)
      expect(securityAt(path, method)).toEqual([
        { session: ["admin"] },
        { token: [scope] },
        { operator: [] },
      ]);
  });

  test("has all forms of an export, and those alone", () => {
    const { responses } = document.paths["/api/firewall/addresses/export"]?.get ?? {};
    expect(Object.keys(responses?.[200]?.content ?? {}).sort()).toEqual(["application/json", "text/csv"]);
  });

  test("is answered as described, from lists to what has nothing", async () => {
    // Whatever is asked through a test's host is compared with the description.
    const asked = operations.filter(({ method }) => method === "get");
    const statuses = new Map<string, number>();
    for (const { path, place } of asked) {
      const { status } = await admin.call("GET", path.replace(/\{\w+\}/g, "none"));
      statuses.set(place, status);
    }
    expect([...statuses].filter(([place, status]) => status !== (place.endsWith("}") ? 404 : 200))).toEqual(
      [],
    );
    const csv = await admin.call("GET", "/api/firewall/addresses/export?format=csv");
    expect(csv.headers.get("content-type")).toStartWith("text/csv");
  });

  test("is written as the linter of OpenAPI documents wants it", async () => {
    expect(await lintAnswered(document)).toEqual([]);
  });
});
