import { describe, expect, test } from "bun:test";
import { markupAttacks } from "../../../../../../tests/fixtures/attacks/markup-attacks.ts";
import { createEngine } from "../engine.ts";
import { passedBy, requestOf, usualOptions } from "../testing/inspect.ts";
import { markupPatterns } from "./all-patterns.ts";

const engine = createEngine(usualOptions, markupPatterns);

test(`${markupAttacks.length} values that make browsers run scripts are found`, () => {
  expect(passedBy(markupPatterns, markupAttacks)).toEqual([]);
});

test("properties of the page that code reads, and attributes outside of tags, are found", () => {
  const attacks = [
    "<x\ronxyz=1",
    '<input pattern="^a$">',
    '<svg x="1">',
    "window.location",
    "open('java' + 'script:ale' + 'rt(1)')",
    "\\152\\141\\166\\141\\163\\143\\162\\151\\160\\164\\072alert(1)",
    "<import implementation=",
    "document.cookie",
    "x=window.location.href",
    "localStorage.getItem('token')",
    "document /*a*/ . cookie",
    "`-alert(1)-`",
    '" onclick = a',
    "onload=run(1)",
    "<!-- not closed <b",
    '<img src="x" style="a:url(x)">',
    "<img src=x y>",
    "'formaction=",
  ];
  expect(passedBy(markupPatterns, attacks)).toEqual([]);
});

describe("texts that only look like markup or scripts pass", () => {
  const texts = [
    "I <3 you",
    "a < b > c, x<y",
    "<b>bold</b> and <i>italic</i>",
    "JavaScript: The Good Parts",
    "please confirm (by e-mail) and alert(s)",
    "the function (see below) and its data: none",
    "one=1, online=yes, once = twice, ongoing=true",
    "window. Location: Berlin. Document: attached",
    "the top [of the page], the parent (or guardian)",
    "style: modern; expression: happy",
    "<-- look here -->",
    "import from China, import (and export) of goods",
    "throw it away; open (daily)",
    "!!!!!!!!!!!!!!!!! wow (((really)))",
    "[] and {} are empty",
    "https://example.org/?a=b#c",
    "data:image/png;base64,iVBORw0KGgo=",
    "<me@example.org>",
    "self-made, top.",
    "on load, on error = on hold",
    "onclick = the event; onload too",
    "window.location.href",
    "the document.cookie of a page",
    "<!-- comment -->",
    '<img src="cat.png" alt="A cat">',
    '<p style="color: red">red</p>',
  ];
  for (const text of texts) test(text, () => expect(engine.inspect(requestOf(text)).isAttack).toBe(false));
});
