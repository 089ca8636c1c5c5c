import { expect, test } from "bun:test";
import { decodeEntities } from "./decode-entities.ts";
import { decodeEscapes } from "./decode-escapes.ts";
import { toPlainView } from "./view-plain.ts";

test("a text is decoded however it was wrapped, and more than once", () => {
  const writings = [
    "<script>",
    "%3Cscript%3E",
    "%253Cscript%253E",
    "%25253Cscript%25253E",
    "&lt;script&gt;",
    "&#60;script&#62",
    "&#x3c;script&#X3E;",
    "&amp;lt;script&amp;gt;",
    "\\u003cscript\\u003e",
    "\\x3cscript\\x3E",
    "\\u{3c}script\\u{003e}",
    "%u003cscript%u003e",
    "\uff1cscript\uff1e",
    "<\u017fcript>",
    "<scr\u0000ipt>",
    "<scr\u200bipt>",
    "<SCRIPT>",
    "%26lt;script%26gt;",
  ];
  for (const written of writings) expect(toPlainView(written)).toBe("<script>");
});

test("control characters vanish, and blanks of other writings are blanks", () => {
  expect(toPlainView("a\u0001b\u00a0c\u000bd\u3000e\u2028f\tg\nh")).toBe("ab c d e\nf\tg\nh");
});

test("honest texts keep their characters", () => {
  const text = "été à 50 %, 1 < 2 & 3 > 2; smith & sons — “quoted” \\o/ 🙂";
  expect(toPlainView(text)).toBe(text);
});

test("a parameter that looks like the name of a character stays a parameter", () => {
  expect(decodeEntities("a=1&colon=2&num=3")).toBe("a=1&colon=2&num=3");
  expect(decodeEntities("javascript&colon;x&lpar;1&rpar;&lt")).toBe("javascript:x(1)<");
  expect(decodeEntities("&#99999999999;&unknown;")).toBe("&#99999999999;&unknown;");
});

test("backslashes that escape nothing stay", () => {
  expect(decodeEscapes("c:\\users\\x \\u00zz")).toBe("c:\\users\\x \\u00zz");
});
