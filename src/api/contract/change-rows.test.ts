import { describe, expect, test } from "bun:test";
import { asText, changeRows } from "./change-rows.ts";

describe("what a change did", () => {
  test("is told field by field, without those that stayed as they were", () => {
    const before = { role: "user", name: "Ada", limits: { max: 100, window: 60 } };
    const after = { role: "admin", name: "Ada", limits: { max: 500, window: 60 } };
    expect(changeRows(before, after)).toEqual([
      { field: "role", before: "user", after: "admin" },
      { field: "limits.max", before: 100, after: 500 },
    ]);
  });

  test("is told in full where something was made or removed", () => {
    expect(changeRows(null, { name: "Ada", role: "user" })).toEqual([
      { field: "name", before: undefined, after: "Ada" },
      { field: "role", before: undefined, after: "user" },
    ]);
    expect(changeRows({ name: "Ada" }, null)).toEqual([{ field: "name", before: "Ada", after: undefined }]);
  });

  test("is told whole where a value has no fields, or had none before", () => {
    expect(changeRows(30, 90)).toEqual([{ field: "", before: 30, after: 90 }]);
    expect(changeRows({ days: [1, 2] }, { days: [1, 3] })).toEqual([
      { field: "days", before: [1, 2], after: [1, 3] },
    ]);
    expect(changeRows({ a: "text" }, { a: { b: 1 } })).toEqual([
      { field: "a", before: "text", after: { b: 1 } },
    ]);
  });

  test("is nothing where nothing differs", () => {
    expect(changeRows({ a: [1] }, { a: [1] })).toEqual([]);
  });

  test("reads texts as they are and the rest as JSON", () => {
    expect(["on", 5, false, ["a"], {}, null, undefined].map(asText)).toEqual([
      "on",
      "5",
      "false",
      '["a"]',
      "{}",
      "",
      "",
    ]);
  });
});
