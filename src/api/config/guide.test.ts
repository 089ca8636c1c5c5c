import { expect, test } from "bun:test";
import { variables } from "./variables.ts";

const guide = await Bun.file(new URL("../../../docs/configuration.md", import.meta.url)).text();
const rows = new Map(
  [...guide.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name, text]) => [name, text]),
);

test("docs/configuration.md has a row for every variable, and for no other", () => {
  expect([...rows.keys()].sort()).toEqual(
    Object.values(variables)
      .map(({ name }) => name)
      .sort(),
  );
});

test("docs/configuration.md names every default as the program does", () => {
  for (const { name, whenUnset } of Object.values(variables)) {
    expect([name, rows.get(name)?.replaceAll("`", "")]).toEqual([name, whenUnset]);
  }
});
