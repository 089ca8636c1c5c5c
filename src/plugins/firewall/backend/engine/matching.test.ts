import { expect, test } from "bun:test";
import { requiredTexts } from "./matching.ts";

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
