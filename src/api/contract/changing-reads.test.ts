import { expect, test } from "bun:test";
import { describedPath } from "#api/http/document/api-document.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { changingReads } from "./plan.ts";

const host = await hostForFile();

test("the calls with GET that change something are exactly the routes that say so", () => {
  const routes = host.app.routes.all.filter(({ stateChange }) => stateChange !== null);
  expect(routes.map(({ template }) => describedPath(template)).sort()).toEqual([...changingReads]);
});
