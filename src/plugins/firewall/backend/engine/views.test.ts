// biome-ignore-all lint/suspicious/noTemplateCurlyInString: attackers write these signs, nothing is to be filled in.
import { expect, test } from "bun:test";
import { decodeEntities, decodeEscapes } from "./decode.ts";
import { toMarkupView, toPathView, toPlainView, toShellView, toSqlView } from "./views.ts";

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

test("escapes of style sheets are decoded where they are letters", () => {
  expect(toMarkupView("width:\\65 xpression(1)")).toBe("width:expression(1)");
  expect(toMarkupView("width:e\\xpression(1)")).toBe("width:expression(1)");
  expect(toMarkupView("c:\\dir\\9")).toBe("c:\\dir\\9");
});

test("comments between words are blanks", () => {
  expect(toSqlView("union/**/select/*x*/1\n,\t2")).toBe("union select 1 , 2");
});

test("the text of comments that MySQL runs stands without its frame", () => {
  expect(toSqlView("1 /*!50000union*/ /*!select*/ 2")).toBe("1 union select 2");
});

test("a comment that nobody closes stays to be seen", () => {
  expect(toSqlView("admin'/* and so on")).toBe("admin'/* and so on");
});

test("what shells take away or fill in is taken away or filled in", () => {
  const written = {
    "c'a't /e\"t\"c/pa\\sswd": "cat /etc/passwd",
    "cat$ifs$9/etc/passwd": "cat /etc/passwd",
    "cat${ifs}/etc/${a}passwd": "cat /etc/passwd",
    "w\\ho\\am\\i": "whoami",
    "who^ami": "whoami",
    "who$@ami": "whoami",
    "wh``o": "who",
    "pi<()ng": "ping",
    "$(whoami$())": "$(whoami)",
    "cat /[e///]tc/p[a]sswd": "cat /etc/passwd",
    "/usr/[a-z]in/id": "/usr/?in/id",
    "/bin$u/cat$u /etc$u/passwd$u": "/bin/cat /etc/passwd",
  };
  expect(Object.keys(written).map(toShellView)).toEqual(Object.values(written));
  expect(toShellView("{cat,/etc/passwd}").trim()).toBe("cat /etc/passwd");
});

test("paths of Windows, prices and variables that stand alone stay as they are", () => {
  for (const text of ["type c:\\windows\\win.ini", "it costs us$ 5", "echo $path", "$home/bin"])
    expect(toShellView(text)).toBe(text);
});

test("every writing of dots and slashes is read as what a file system makes of it", () => {
  const written = {
    "..\\..\\x": "../../x",
    "....//....//etc": "../../etc",
    "..;/..;/x": "../../x",
    "/././../": "/../",
    "/etc//passwd": "/etc/passwd",
    "0x2e. 0x2f0x2e. /win.ini": "../../win.ini",
    "..%c0%af..%c1%9cetc": "../../etc",
    "\u2025/etc": "../etc",
  };
  expect(Object.keys(written).map(toPathView)).toEqual(Object.values(written));
});

test("texts without slashes stay as they are", () => {
  for (const text of ["wait... what?", "a.b.c", "5 > 3"]) expect(toPathView(text)).toBe(text);
});
