import { describe, expect, test } from "bun:test";
import { scopeCss } from "#api/plugin-host/assets/scope-css.ts";
import { strangeSheets } from "#api/testing/strange-sheets.ts";
import { browserForFile } from "../driver/for-file.ts";

const browser = await browserForFile();
const page = await browser.newPage();
await page.setContent('<body><div data-plugin="notes"><p>Inside</p></div></body>');

const black = "rgb(0, 0, 0)";
const red = "rgb(1, 2, 3)";
const out = `} } body, p { color: ${red} } `;

/** The colours of the page and of the plugin's text, and the kinds of rules at the top of the sheet, as the browser sees them. */
const show = (css: string) =>
  page.evaluate((text) => {
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent = text;
    const colour = (selector: string) =>
      getComputedStyle(document.querySelector(selector) ?? document.body).color;
    const rules = [...(style.sheet?.cssRules ?? [])].map((rule) => rule.constructor.name);
    const seen = { body: colour("body"), text: colour("p"), rules };
    style.remove();
    return seen;
  }, css);

describe("a plugin's stylesheet in a browser", () => {
  const tries: [name: string, css: string][] = [
    ["a quote in an address", `a{background:url(x")${out}/* " */`],
    ["a bracket in an address", `a{b:url(x(y")${out}/* " */`],
    ["a character in an address that cannot be shown", `a{b:url(\u0001")${out}/* " */`],
    ["an address whose name is written with escapes", `a{b:\\75 \\72 l(x")${out}/* " */`],
    ["a name with a bracket that is escaped", `a{b:url\\28 x"${out}/* " */`],
    ["a text that a carriage return ends", `a{b:"\r${out}/* " */`],
    ["a text that a form feed ends", `a{b:"\f${out}/* " */`],
    ["an import with an address that is a text to others", `@import url(x");${out}/*"*/;`],
    ["a comment that comes of what is left out", `/@import "x";* { */ ${out}`],
    ["a range of characters that ends in an address", `@font-face{unicode-range:U+aurl(x")}${out}/* " */`],
    ["the beginning of a comment of HTML", `<!-- ${out}`],
    ["a backslash at the end of a line", `a{b:"\\\n"; c:\\\n${out}`],
  ];
  test.each(tries)("does not get out by %s", async (_name, css) => {
    const { body, rules } = await show(scopeCss(css, "notes"));
    expect([body, rules]).toEqual([black, ["CSSScopeRule"]]);
  });

  test("does not get out, whatever it is made of", async () => {
    const outside: string[] = [];
    // A line that is a text to one reader, and braces to the other.
    for (const css of strangeSheets(2_000))
      for (const more of [out, `) {{{ \n) }}} ${out}`]) {
        const { body, rules } = await show(scopeCss(`${css} ${more}/* " ' */`, "notes"));
        if (body !== black || rules.join() !== "CSSScopeRule") outside.push(css);
      }
    expect(outside).toEqual([]);
  }, 60_000);

  test("means what it meant for what is its own", async () => {
    const css = `@import url("x;y"); a { b: url(x) } p { color: ${red}; background: url( y.png ) }`;
    expect(await show(scopeCss(css, "notes"))).toEqual({
      ...{ body: black, text: red, rules: ["CSSScopeRule"] },
    });
  });
});
