import { expect, test } from "bun:test";
import { boxesMarkup, ownTextMarkup } from "./own-text.ts";

const plain = (html: string): string => html.replace(/ class="[^"]*"/g, "");

test.each([
  ["# Title\n\nOne *two* **three**", "<h2>Title</h2>\n<p>One <em>two</em> <strong>three</strong></p>\n"],
  [
    "[t](/terms) [m](mailto:a@b.example)",
    '<p><a href="/terms">t</a> <a href="mailto:a@b.example">m</a></p>\n',
  ],
  ["</title><script>alert(1)</script>", "<p>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n"],
  ["[a](javascript:alert(1))", "<p>a</p>\n"],
  ["[a](JavaScript&#58;alert(1)) [b](java&Tab;script:1)", "<p>a b</p>\n"],
  ["[a](//b.example) [b](data:text/html,x)", "<p>a b</p>\n"],
  ["![<b>&lt;i&gt;](https://b.example/x.png)", "<p>&lt;b&gt;&lt;i&gt;</p>\n"],
  ['[a](https://b.example "onload=x")', '<p><a href="https://b.example">a</a></p>\n'],
  ["```html\n</code><script>\n```", "<pre><code>&lt;/code&gt;&lt;script&gt;\n</code></pre>\n"],
  [`شركة \u202e ${"🦊".repeat(40)}`, `<p>شركة \u202e ${"🦊".repeat(40)}</p>\n`],
])("Markdown of the site's own becomes markup, and nothing in it runs: %j", (markdown, html) => {
  expect(plain(ownTextMarkup(markdown))).toBe(html);
});

test("each heading of the second level begins a box", () => {
  expect(plain(boxesMarkup("Hello\n\n## A\n\none\n\n## B")).replaceAll("\n", "")).toBe(
    "<div><p>Hello</p></div><div><section><h2>A</h2><p>one</p></section><section><h2>B</h2></section></div>",
  );
  expect(plain(boxesMarkup(""))).toBe("<div></div>");
});

test("a table of many columns scrolls in itself", () => {
  const html = ownTextMarkup("| a | b |\n|---|---|\n| 1 | 2 |\n\nafter").replaceAll("\n", "");
  expect(html).toMatch(/^<div class="[^"]*overflow-x-auto" tabindex="0"><table .*<\/table><\/div><p /);
});
