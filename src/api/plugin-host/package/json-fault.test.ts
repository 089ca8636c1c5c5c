import { expect, test } from "bun:test";
import { jsonFault } from "./read-package.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ["", "line 1, column 1"],
  ["{", "line 1, column 2"],
  ['{\n  "a": 1,\n}', "line 3, column 1"],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', "line 3, column 3"],
  ['{ "a": tru }', "line 1, column 8"],
  ["{ a: 1 }", "line 1, column 3"],
  ['["open]', "line 1, column 2"],
  ["[1, 2,]", "line 1, column 7"],
  ['{"a" 1}', "line 1, column 6"],
  ["[01]", "line 1, column 3"],
  ["{} {}", "line 1, column 4"],
  ["[1}", "line 1, column 3"],
  ["// no", "line 1, column 1"],
])("%j stops being JSON at %s", (text, place) => {
  expect(jsonFault(text)).toBe(place);
  expect(parses(text)).toBe(false);
});

test("in JSON nothing is found, however it is nested", () => {
  const nested = { a: [{}, [], '\\"\u00e4', -1.5e3, 0, true, false, null, { b: { c: [[1], 2] } }] };
  for (const text of [JSON.stringify(nested), JSON.stringify(nested, null, 2), ' "a" ', "[]"])
    expect(jsonFault(text)).toBeNull();
});

test("a text that is all brackets, and a string of 200 KB, are looked through", () => {
  expect(jsonFault("[".repeat(200_000))).toBe("line 1, column 200001");
  expect(jsonFault(`["${"a".repeat(200_000)}"`)).toBe("line 1, column 200004");
  expect(jsonFault(`["${"a".repeat(200_000)}`)).toBe("line 1, column 2");
  expect(jsonFault('["a\tb", "a\u0001"]')).toBe("line 1, column 2");
});
