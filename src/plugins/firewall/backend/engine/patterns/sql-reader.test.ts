import { expect, test } from "bun:test";
import { followsForeignQuote, followsQuote, readOperand, readSql, tokeniseSql } from "./sql-reader.ts";

const kinds = (text: string): string[] =>
  tokeniseSql(text).map(({ kind, text: piece }) => `${kind} ${piece}`);

test("a text is cut into what a database would see", () => {
  expect(kinds("1or @@a.b<=0x1f -- x")).toEqual([
    "number 1",
    "word or",
    "variable @@a.b",
    "operator <=",
    "number 0x1f",
    "comment --",
    "word x",
  ]);
  expect(kinds("'a'::int ->> `b`#")).toEqual([
    "quote '",
    "word a",
    "quote '",
    "operator ::",
    "word int",
    "operator ->>",
    "quote `",
    "word b",
    "quote `",
    "comment #",
  ]);
});

test("of many equal marks in a row a few are kept", () => {
  expect(tokeniseSql("(".repeat(1000)).length).toBeLessThan(10);
  expect(tokeniseSql("'".repeat(1000))).toHaveLength(1000);
});

test("operands are told by what they are", () => {
  const types = [
    "1",
    "'x'",
    "'x",
    "name",
    "a.b.c",
    "f(1, (2))",
    "(select 1)",
    "@@version",
    "null",
    "- -1",
    "or",
  ];
  expect(types.map((text) => readOperand(readSql(text), 0)?.type ?? null)).toEqual([
    "literal",
    "literal",
    "open",
    "name",
    "name",
    "call",
    "query",
    "call",
    "literal",
    "literal",
    null,
  ]);
});

test("a quote that the text has not opened closes what stands around it", () => {
  const at = (text: string) => readSql(text).tokens.findIndex(({ text: piece }) => piece === "or");
  const ask = (text: string) => [
    followsQuote(readSql(text), at(text)),
    followsForeignQuote(readSql(text), at(text)),
  ];
  expect(ask("x' or y")).toEqual([true, true]);
  expect(ask("x')) or y")).toEqual([true, true]);
  expect(ask("'x' or 'y'")).toEqual([true, false]);
  expect(ask("x or y")).toEqual([false, false]);
});
