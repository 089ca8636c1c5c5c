import { expect, test } from "bun:test";
import { between, entered, fits, flag, list, moment, object, orNull, shape, whole, word } from "./shape.ts";

const name = object({ name: entered(3), age: between(1, 9) }, { isOn: flag });

test("a value fits a shape by its types, fields, words, bounds and lengths", () => {
  const cases: [shape: Parameters<typeof fits>[0], good: unknown[], bad: unknown[]][] = [
    [entered(3), ["", "abc"], ["abcd", 1, null, undefined]],
    [word("a", "b"), ["a"], ["c", "", 1]],
    [whole(), [0, 7], [-1, 1.5, Number.NaN, "1"]],
    [shape({ type: "number", minimum: 1 }), [1, 1.5], [0.5, Number.POSITIVE_INFINITY]],
    [flag, [true, false], [0, "true", null]],
    [moment, ["2030-01-01T00:00:00Z"], ["soon", 0]],
    [orNull(moment), [null, "2030-01-01T00:00:00Z"], ["", undefined]],
    [shape({ type: ["string", "null"] }), [null, "x"], [1]],
    [list(flag), [[], [true]], [[1], {}, "x"]],
    [
      name,
      [
        { name: "a", age: 1 },
        { name: "a", age: 1, isOn: true, more: 1 },
      ],
      [{ name: "a" }, [], null],
    ],
    [name, [], [{ name: "a", age: 0 }, { name: "a", age: 1, isOn: 1 }, Object.create({ name: "a", age: 1 })]],
  ];
  for (const [wanted, good, bad] of cases) {
    expect([wanted, good.filter((value) => !fits(wanted, value))]).toEqual([wanted, []]);
    expect([wanted, bad.filter((value) => fits(wanted, value))]).toEqual([wanted, []]);
  }
});
