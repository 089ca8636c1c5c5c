import { expect, test } from "bun:test";
import type { Pattern } from "./engine-types.ts";
import { createPrefilter, requiredTexts } from "./prefilter.ts";
import { makeSubject } from "./subject.ts";

const pattern = (id: number, parts: Partial<Pattern>): Pattern => ({
  id,
  title: "",
  category: "protocol",
  paranoia: 1,
  severity: "low",
  view: "plain",
  find: () => null,
  ...parts,
});

const prefilter = createPrefilter([
  pattern(1, { needs: ["she", "hers"] }),
  pattern(2, { needs: ["he"] }),
  pattern(3, {}),
  pattern(4, { needs: ["union select"], view: "sql" }),
  pattern(5, { needs: ["x"], places: ["cookie"] }),
]);
const idsFor = (text: string): number[] =>
  prefilter(makeSubject("body", "", text))
    .map(({ id }) => id)
    .toSorted();

test("patterns are asked for texts that have what they need", () => {
  expect(idsFor("usher")).toEqual([1, 2, 3]);
  expect(idsFor("the")).toEqual([2, 3]);
  expect(idsFor("hi")).toEqual([3]);
  expect(idsFor("")).toEqual([3]);
  expect(idsFor("HERS")).toEqual([1, 2, 3]);
});

test("what a pattern needs is looked for in its own view", () => {
  expect(idsFor("union/**/select")).toEqual([3, 4]);
});

test("a pattern is not asked about places that are not its own", () => {
  expect(idsFor("x")).toEqual([3]);
  expect(
    prefilter(makeSubject("cookie", "", "x"))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([3, 5]);
});

test("what every match has one of is told from the literal pieces of an expression", () => {
  const cases: [expression: RegExp, texts: string[] | null][] = [
    [/\bunion\s+select\b/, ["select"]],
    [/<(?:script|iframe)\b/, ["<script", "<iframe"]],
    [/foo\d*|ba[rz]+x/, ["foo", "ba"]],
    [/(?:^|[;|])\s{0,4}whoami/, ["whoami"]],
    [/colou?r:/, ["color:", "colour:"]],
    [/\$\{[^}]*\}/, ["${"]],
    [/a(?=bcd)\.\./, ["a.."]],
    [/(?:abc){2,3}/, ["abc"]],
    [/X-Forwarded/i, ["x-forwarded"]],
    [/\x3cb\u003e/, ["<b>"]],
    [/[\r\n]a{0}/, ["\r", "\n"]],
    [/(?<name>select)\s/, ["select"]],
    [/\w+\d/, null],
    [/(?:foo)?/, null],
    [/foo|\w/, null],
    [/a|bc/, null],
    [/[a-z]{3}/, null],
  ];
  for (const [expression, texts] of cases)
    expect([expression, requiredTexts(expression)]).toEqual([expression, texts]);
});
