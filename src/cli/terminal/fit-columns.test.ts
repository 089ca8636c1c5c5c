import { describe, expect, test } from "bun:test";
import { type ColumnNeeds, fitColumns, shorten } from "./table.ts";

const needs = (natural: number, least = 10, isSpare = false): ColumnNeeds => ({ natural, least, isSpare });
const whole = Number.POSITIVE_INFINITY;

describe("columns", () => {
  test("keep their width where all of them fit", () => {
    expect(fitColumns([needs(30), needs(20)], 52)).toEqual([30, 20]);
    expect(fitColumns([needs(3000)], whole)).toEqual([3000]);
    expect(fitColumns([], 80)).toEqual([]);
  });

  test("give way from the widest on, and never below their least", () => {
    expect(fitColumns([needs(60), needs(20), needs(5)], 50)).toEqual([21, 20, 5]);
    expect(fitColumns([needs(60), needs(40), needs(5)], 49)).toEqual([20, 20, 5]);
    expect(fitColumns([needs(36, whole), needs(40), needs(60)], 70)).toEqual([36, 15, 15]);
  });

  test("that are spare are left out, the last first, before the others would overflow", () => {
    const columns = [needs(36, whole), needs(17, whole, true), needs(20), needs(30, 10, true), needs(7)];
    expect(fitColumns(columns, 88)).toEqual([36, 17, 10, 10, 7]);
    expect(fitColumns(columns, 87)).toEqual([36, 17, 20, 0, 7]);
    expect(fitColumns(columns, 60)).toEqual([36, 0, 13, 0, 7]);
  });

  test("that cannot fit are as narrow as they are of use", () => {
    expect(fitColumns([needs(36, whole), needs(20)], 20)).toEqual([36, 10]);
  });
});

describe("a shortened text", () => {
  test.each([
    ["as it is", 8, "as it is"],
    ["too long a text", 8, "too lon…"],
    ["密码密码密码", 6, "密码…"],
    ["👩‍👩‍👧‍👦 family", 4, "👩‍👩‍👧‍👦 …"],
  ])("of %p in %p columns is %p", (text, width, expected) => {
    expect(shorten(text, width)).toBe(expected);
    expect(Bun.stringWidth(shorten(text, width))).toBeLessThanOrEqual(width);
  });
});
