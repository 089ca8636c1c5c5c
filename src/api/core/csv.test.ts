import { describe, expect, test } from "bun:test";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { csvRecord } from "./csv.ts";

describe("L2: a cell that a spreadsheet would run gets an apostrophe:", () => {
  test.each([
    "=1+1",
    "+49 170 1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "=cmd|'/c calc'!A0",
    '=HYPERLINK("http://evil.example","x")',
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20SUM(1)",
  ])("%j", (text) => expect(parseCsv(csvRecord(["a", text, "b"]))).toEqual([["a", `'${text}`, "b"]]));
});

describe("L2: behind what separates cells in other countries a formula gets one too:", () => {
  test.each([
    ["Hello;=1+1;bye", "Hello;'=1+1;bye"],
    ["=1;=2", "'=1;'=2"],
    ["a\n-2+3\r\n@SUM(1)\r+1", "a\n'-2+3\r\n'@SUM(1)\r'+1"],
    ["a\t=1", "a\t'=1"],
    ['";=1', "\";'=1"],
    ["a;\uff1d1", "a;'\uff1d1"],
  ])("%j", (text, expected) => expect(parseCsv(csvRecord(["a", text, "b"]))).toEqual([["a", expected, "b"]]));
});

describe("a cell comes back as it was:", () => {
  test.each([
    "",
    "plain",
    'say "no"',
    '"',
    "a,b",
    "a;b",
    "a\tb",
    "two\nlines",
    "a; b; c=1",
    "x\n1=1",
    "two\r\nlines",
    " space around ",
    "1=1",
    "'",
    "ada@example.test",
    "日本語 👩🏽‍💻",
  ])("%j", (text) => expect(parseCsv(csvRecord([text, "next"]))).toEqual([[text, "next"]]));
});

test("what is no text is written as it is, and nothing as nothing", () => {
  expect(csvRecord([null, -1, true, "x"])).toBe(",-1,true,x\r\n");
});
