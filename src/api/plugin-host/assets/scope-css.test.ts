import { describe, expect, test } from "bun:test";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { strangeSheets } from "#api/testing/strange-sheets.ts";
import { scopeCss } from "./scope-css.ts";

describe("a stylesheet in its scope", () => {
  const sheets: [title: string, css: string, kept: string][] = [
    [
      "loses what is for the top of a sheet",
      '@charset "utf-8"; @layer a, b;@import url(x;y) supports((a:b));a{b:c}',
      "/**/ /**//**/a{b:c}",
    ],
    ["does not grow together around what it loses", '/@import "x";* { */ } a{b:c}', "//**/* { */ } a{b:c}"],
    ["keeps layers with rules", "@layer a { b { c: d } }", "@layer a { b { c: d } }"],
    ["ends with a brace too many", "a{b:c}} body{display:none}", "a{b:c}"],
    ["is closed where a brace is missing", "a{b:c", "a{b:c}"],
    ["has its brackets closed with their brace", "a{b:([c}d{e:f)}", "a{b:([c])}d{e:f/**/}"],
    [
      "means nothing by braces in texts",
      "a{content:\"}\"}b{c:'}'}/* } */d{e:f}",
      "a{content:\"}\"}b{c:'}'}/* } */d{e:f}",
    ],
    ["means nothing by escaped braces", "a\\}b{c:d}", "a\\}b{c:d}"],
    [
      "stays as it is where an escape, a hash or a number ends",
      ".\\31 0,#a{b:1.5e3px}",
      ".\\31 0,#a{b:1.5e3px}",
    ],
    ["loses a text that ends with its line", 'a{b:"c}\nd:e}', "a{b:/**/\nd:e}"],
    ["keeps a text that continues in the next line", 'a{b:"c\\\nd"}', 'a{b:"cd"}'],
    ["keeps a text with a quote of the other kind", `a{b:"it's"}`, `a{b:"it's"}`],
    ["keeps a text with an escape that ends with the line", 'a{b:"\\41\nc"}', 'a{b:"\\41 c"}'],
    ["has a text closed that the end cuts off", 'a{b:"c\\', 'a{b:"c"}'],
    ["has a comment closed that the end cuts off", "a{}/* b", "a{}/* b*/"],
    ["has its addresses in quotes", "a{b:url( x.svg#y )}", 'a{b:url("x.svg#y")}'],
    ["has its addresses in quotes, escapes and all", "a{b:u\\52 L(x\\)\\22 y)}", 'a{b:url("x\\)\\22 y")}'],
    ["leaves an address in quotes alone", 'a{b:url( "x" )}', 'a{b:url( "x" )}'],
    ["loses an address that is none", 'a{b:url(x"y\\)});c:d}', "a{b:/**/;c:d}"],
    ["loses a text that is no address", 'a{b:url("x\n)}', "a{b:url/**/(/**/\n)}"],
    ["takes no other name for an address", "a{b:#url(x)}", "a{b:#url/**/(x)}"],
  ];
  test.each(sheets)("%s", (_title, css, kept) => {
    expect(scopeCss(css, "x")).toBe(`@scope ([data-plugin="x"]) {\n${kept}\n}\n`);
  });

  test("stays the same when it is scoped again, whatever it was made of", () => {
    const inner = (css: string) =>
      scopeCss(css, "x").slice('@scope ([data-plugin="x"]) {\n'.length, -"\n}\n".length);
    for (const css of strangeSheets(2_000)) {
      const once = inner(css);
      expect([css, inner(once)]).toEqual([css, once]);
    }
  });

  test("takes time by its length alone, whatever is in it", () => {
    const processorMs = startProcessorTime();
    for (const piece of [
      ...["url(", "@layer ", '@import "', "@import '\\", "url( a", "/*", "\\", '"\n', "{(", "(}", "{}", "a"],
      ...['url("', "url(\\", "@import;", ")", "\\41", "\\url(", '"\\\n'],
    ])
      scopeCss(`((((${piece.repeat(1_000_000 / piece.length)}`, "x");
    for (const pair of ["{}", "()"]) scopeCss("[".repeat(500_000) + pair.repeat(250_000), "x");
    expect(processorMs()).toBeLessThan(8_000);
  });
});
