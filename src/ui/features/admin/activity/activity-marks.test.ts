import { expect, test } from "bun:test";
import { inWords } from "./activity-list.tsx";

test("names of the API are read as words", () => {
  expect(["api_call", "plugin_hot_reloaded", "failure", "failure,warning"].map(inWords)).toEqual([
    "API call",
    "Plugin hot reloaded",
    "Failure",
    "Failure, Warning",
  ]);
});
