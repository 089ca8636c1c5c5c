import { expect, test } from "bun:test";
import { formatOf } from "./import-format.ts";

test("the format is told by the file's name, else by how the text begins", () => {
  expect(formatOf("203.0.113.7", "list.JSON")).toBe("json");
  expect(formatOf("[]", "list.csv")).toBe("csv");
  expect(formatOf('\n [{"kind":"deny"}]', "")).toBe("json");
  expect(formatOf("kind,address\ndeny,203.0.113.7", "")).toBe("csv");
  expect(formatOf("  ", "")).toBeNull();
});
