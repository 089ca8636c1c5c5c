import { expect, test } from "bun:test";
import { mergePackage } from "./merge-package.ts";

const base = {
  name: "atrium",
  version: "1.1.0",
  scripts: { start: "a" },
  dependencies: { react: "1", zod: "1" },
};

test("the fields of both sides are merged: what a product says of itself is its own, the version is Atrium's", () => {
  const ours = {
    ...base,
    name: "northwind",
    version: "0.1.0",
    dependencies: { react: "1", zod: "1", boat: "3" },
  };
  const theirs = {
    ...{
      ...base,
      name: "atrium-2",
      version: "1.2.0",
      scripts: { start: "a", lint: "b" },
      dependencies: { react: "2" },
    },
  };
  const conflicts: string[] = [];
  expect(mergePackage({ base, ours, theirs }, conflicts)).toEqual({
    ...{
      name: "northwind",
      version: "1.2.0",
      scripts: { start: "a", lint: "b" },
      dependencies: { react: "2", boat: "3" },
    },
  });
  expect(conflicts).toEqual([]);
});

test("a field to which both gave another value is a conflict, also where one side removed it", () => {
  const ours = { ...base, dependencies: { react: "3" } };
  const theirs = { ...base, dependencies: { react: "2", zod: "2" } };
  const conflicts: string[] = [];
  mergePackage({ base, ours, theirs }, conflicts);
  expect(conflicts).toEqual(["dependencies.react", "dependencies.zod"]);
});
