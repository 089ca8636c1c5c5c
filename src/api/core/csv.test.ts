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
