import { expect, test } from "bun:test";
import { makeSubject } from "./subject.ts";
import { toMarkupView, toPathView, toPlainView, toShellView, toSqlView } from "./views.ts";

const isUniform = (text: string): boolean => makeSubject("body", "", text).isUniform;
const views = [toMarkupView, toPathView, toShellView, toSqlView];
const readings = (text: string): Set<string> => {
  const plain = toPlainView(text);
  return new Set([text.toLowerCase(), plain, ...views.map((view) => view(plain))]);
};

test("words, sentences, numbers and addresses are uniform in any alphabet", () => {
  for (const text of [
    "Hello there!",
    "a-b_c",
    "3.14",
    "me@example.org",
    "/a/b/c.html",
    "Grüße",
    "Привет",
    "日本語",
    "",
  ])
    expect([text, isUniform(text)]).toEqual([text, true]);
});

test("what one reader reads otherwise than another is not uniform", () => {
  for (const text of [
    "it's",
    "a  b",
    "a//b",
    "a/./b",
    "../a",
    "%41",
    "&lt;",
    "a/**/b",
    "ſ",
    "\u200b",
    "a\nb",
    "0x2e",
  ])
    expect([text, isUniform(text)]).toEqual([text, false]);
});

test("a uniform text has one reading, whatever is put together", () => {
  const pieces = [
    ..." .,:;+@=?!#()|~>}]-_/*aB0",
    "..",
    "//",
    "/*",
    "0x2",
    "é",
    "à",
    "ſ",
    "Я",
    "中",
    "\u2024",
    "\u00ad",
    "\u3000",
  ];
  const different = pieces.flatMap((a) =>
    pieces.flatMap((b) =>
      pieces.map((c) => `${a}${b}x${c}${a}`).filter((text) => isUniform(text) && readings(text).size > 1),
    ),
  );
  expect(different).toEqual([]);
  const characters = Array.from({ length: 0xffff }, (_, code) => `a${String.fromCharCode(code)}b/c`);
  expect(characters.filter((text) => isUniform(text) && readings(text).size > 1)).toEqual([]);
});
