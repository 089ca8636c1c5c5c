import { expect, test } from "bun:test";
import { readFieldNames } from "./field-names.ts";

test("names of fields are read with commas, spaces and lines between, each once", () => {
  expect(readFieldNames(" message, user.bio\nnote,,message ")).toEqual(["message", "user.bio", "note"]);
  expect(readFieldNames(" , ")).toEqual([]);
});
