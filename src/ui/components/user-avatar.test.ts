import { expect, test } from "bun:test";
import { initials } from "./user-avatar.tsx";

const table = [
  ["Ada Lovelace", "AL"],
  ["Ada King Lovelace", "AL"],
  ["plato", "P"],
  ["  Jean   Luc ", "JL"],
  ["𝒜da", "𝒜"],
  ["é", "É"],
  ["", ""],
] as const;

for (const [name, expected] of table) {
  test(`"${name}" has the initials "${expected}"`, () => {
    expect(initials(name)).toBe(expected);
  });
}
