import { afterAll, beforeAll, expect, test } from "bun:test";
import { describedPath } from "#api/http/document/api-document.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { changingReads } from "./plan.ts";

let host: TestHost;
beforeAll(async () => {
  host = await createTestHost();
});
afterAll(() => host.close());

test("the calls with GET that change something are exactly the routes that say so", () => {
  const routes = host.app.routes.all.filter(({ stateChange }) => stateChange !== null);
  expect(routes.map(({ template }) => describedPath(template)).sort()).toEqual([...changingReads]);
});
