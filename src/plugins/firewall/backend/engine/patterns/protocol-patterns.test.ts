import { expect, test } from "bun:test";
import { foundBy } from "../testing/inspect.ts";
import { inclusionPatterns } from "./file-patterns.ts";
import { protocolPatterns, scannerPatterns } from "./protocol-patterns.ts";

test("lines, filters and queries that reach beyond their value are found", () => {
  expect(beyond.filter((text) => foundBy(protocolPatterns, text).length === 0)).toEqual([]);
});

test("lines of a message and brackets of a sentence are left alone", () => {
  const honest = [
    "Location: Berlin",
    "Hi,\nSubject: lunch\nSize: 10",
    "(a) and (b)",
    "(objectSID=S-1-5)",
    "a (b) (c)",
    "Hello!World",
  ];
  expect(honest.filter((text) => foundBy(protocolPatterns, text).length > 0)).toEqual([]);
});

test("a session in an address is refused by the name of its parameter", () => {
  expect(foundBy(protocolPatterns, "abc123def", { name: "phpsessid" })).toEqual([7006]);
  expect(foundBy(protocolPatterns, "abc123def", { name: "page" })).toEqual([]);
});

test("scripts on other machines are refused, links to pages are not", () => {
  expect(scripts.filter((text) => foundBy(inclusionPatterns, text).length === 0)).toEqual([]);
  expect(foundBy(inclusionPatterns, "https://example.com/cat", { name: "template" })).toEqual([2004]);
  expect(foundBy(inclusionPatterns, "https://example.com/index.php?a=1", { name: "website" })).toEqual([]);
  expect(foundBy(inclusionPatterns, "see https://example.com/a.php?")).toEqual([]);
});

test("tools tell themselves by their agent, browsers and libraries do not", () => {
  const agent = (text: string) => foundBy(scannerPatterns, text, { place: "header", name: "user-agent" });
  expect(
    ["sqlmap/1.7", "Mozilla/5.00 (Nikto/2.1.6)", "Nuclei - Open-source project"].filter(
      (text) => agent(text).length === 0,
    ),
  ).toEqual([]);
  expect(
    ["curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64) Firefox/121.0", "w3m/0.5.1"].filter(
      (text) => agent(text).length > 0,
    ),
  ).toEqual([]);
});

const beyond = [
  "*)(uid=*))(|(uid=*",
  "(cn:caseExactMatch:=x)",
  "admin)(&)",
  "admin)(!(&(1=0)(password=*))",
  "(&(uid=admin)(!(&(1=0)(userPassword=q))))",
  "*)(objectClass=*",
  "x' or count(/*)=1 or 'a'='b",
  "'] | //user/* | //x['",
  "/a[position()=1]/child::node()",
  "string-length(name(/*[1]))",
  "x%0d%0aSet-Cookie: a=b",
  "x%0d%0aLocation: http://evil.example",
  "x%0aHTTP/1.1 200 OK",
  "%E5%98%8D%E5%98%8ASet-Cookie: a=b",
  "a%0d%0aRCPT TO:<x@evil.example>",
  "a%0aBcc: x@evil.example",
  "x HTTP/1.1%0d%0aHost: x%0d%0a%0d%0aGET / HTTP/1.1",
];

const scripts = [
  "http://evil.example/shell.php",
  "http://evil.example/shell.txt?",
  "http://1.2.3.4/x.txt",
  "ftp://evil.example/c99.php",
  "https://evil.example/x.sh",
  "http://1.2.3.4/",
];

/** Of lines for mail servers, directories and stores behind the application. */
const linePatterns = protocolPatterns.filter(({ id }) => id >= 7012 && id <= 7015);

const isLine = (text: string): boolean => foundBy(linePatterns, text).length > 0;

const lines = [
  "a@example.com\r\nCc: b@example.com",
  "a@example.com\nSubject: x",
  "VRFY admin",
  "x\r\nV100 CAPABILITY",
  "a001 LOGIN x\r\na002 FETCH 1",
  "x\r\n.\r\nQUIT\r\n",
  "x\r\nRCPT TO: <b@example.com>",
  "\r\nHeader-Test: x",
  "x HTTP/1.1\r\nX: y",
  "x\r\nLink: </x>; rel=preload",
  "x\r\nFLUSHALL\r\n",
  "x\r\nSET injected 1\r\n",
  "a\r\nset b 0 3600 10\r\n",
  "x\r\nCONFIG SET dir /var/www",
];

const letters = [
  "Hello\nSubject: my order\nFrom: Ann",
  "Dear team,\nset the table for 10\nthanks",
  "List:\nA12 apples\nB7 pears",
  "Ann\nE-mail: ann@example.com",
  "ann@example.com\nplease write to me",
];

test("lines for a mail server, a header or a store behind a value are found", () => {
  expect(lines.filter((text) => !isLine(text))).toEqual([]);
});

test("letters with lines that look like headers or lists are none", () => {
  expect(letters.filter(isLine)).toEqual([]);
});

test("a text of several lines in a body may have lines with a colon", () => {
  expect(foundBy(linePatterns, "Hi\nFollow-up: none", { place: "body" })).toEqual([]);
});
