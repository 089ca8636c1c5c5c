import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { InspectedRequest } from "./engine-types.ts";
import { requestSubjects, scanCapBytes } from "./request-subjects.ts";
import { longestName, mostOddTexts } from "./subject.ts";
import { requestWith } from "./testing/inspect.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textsOf = (parts: Partial<InspectedRequest>): string[] =>
  requestSubjects(requestWith(parts)).subjects.map(({ place, name, raw }) => `${place} ${name}: ${raw}`);
const bodyOf = (body: string, type?: string): string[] =>
  textsOf({ body: bytes(body), headers: type === undefined ? [] : [["Content-Type", type]] }).slice(1);
const obstacleOf = (parts: Partial<InspectedRequest>) => requestSubjects(requestWith(parts)).obstacle;

test("a query is taken apart into its pairs, decoded once; a name without a value is a text", () => {
  expect(textsOf({ query: "a=x+y&B=%2541&flag&c=" })).toEqual([
    "path : /",
    "query a: x y",
    "query b: %41",
    "query : flag",
  ]);
});

test("what stands under one name more than once is read as a list too", () => {
  expect(textsOf({ query: "id=1 union&id=select 2" })).toContain("query id: 1 union,select 2");
});

test("names are texts where they are no plain names", () => {
  expect(textsOf({ query: "user[$ne]=1&__proto__=2&class.module.loader=3" })).toEqual(
    expect.arrayContaining([
      "query user[$ne]: user[$ne]",
      "query __proto__: __proto__",
      "query class.module.loader: class.module.loader",
    ]),
  );
});

test("the odd parts of a path are texts of their own", () => {
  expect(textsOf({ path: "/search/%27%3D%27/x" })).toEqual(["path : /search/'='/x", "path : '='"]);
});

test("cookies and headers that people may fill are looked at, those that browsers fill are not", () => {
  const headers: [string, string][] = [
    ["User-Agent", "me"],
    ["Cookie", "a=one; b=two"],
    ["X-Note", "hello"],
    ["Accept", "text/html"],
    ["Accept-Language", "' or 1"],
    ["Sec-CH-UA", '"Not A(Brand";v="24"'],
    ["Host", "example.org"],
  ];
  expect(textsOf({ headers })).toEqual([
    "path : /",
    "header user-agent: me",
    "cookie a: one",
    "cookie b: two",
    "header x-note: hello",
    "header accept-language: ' or 1",
  ]);
});

test("a referrer is taken apart like the address that it is", () => {
  expect(textsOf({ headers: [["Referer", "https://example.org/a/b?q=c+d&e=f#g"]] })).toEqual([
    "path : /",
    "header referer: /a/b",
    "header referer: c d",
    "header referer: f",
    "header referer: g",
  ]);
  expect(textsOf({ headers: [["Referer", "https://x/?<b>"]] })).toContain("header referer: https://x/?<b>");
});

test("JSON is taken apart by its texts and names, whatever it is called", () => {
  const json = '{"a":{"b":["x",{"c d":"y"}]},"$where":1,"n":5}';
  const texts = ["body a.b: x", "body a.b.c d: c d", "body a.b.c d: y", "body $where: $where"];
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", undefined])
    expect(bodyOf(json, type)).toEqual(expect.arrayContaining(texts));
});

test("JSON that is none is read as the text it is", () => {
  expect(bodyOf('{"a": <b>', "application/json")).toEqual(['body : {"a": <b>']);
});

test("JSON is looked into 64 levels deep, and what is deeper is an obstacle", () => {
  const nested = (levels: number): Uint8Array => bytes(`${"[".repeat(levels)}"inner"${"]".repeat(levels)}`);
  expect(textsOf({ body: nested(64) })).toContain("body : inner");
  expect(obstacleOf({ body: nested(64) })).toBeNull();
  expect(obstacleOf({ body: nested(65) })).toBe("too-deep");
  expect(obstacleOf({ body: bytes(`["${"[".repeat(100)}"]`) })).toBeNull();
});

test("forms are read as forms, whatever they are called", () => {
  for (const type of ["application/x-www-form-urlencoded", "text/plain", undefined])
    expect(bodyOf("a=b+c&d=%3Ce%3E", type)).toEqual(expect.arrayContaining(["body a: b c", "body d: <e>"]));
});

test("XML is read as a whole, and by its texts and attributes", () => {
  expect(bodyOf('<?xml version="1.0"?><a b="attribute">text</a>', "application/xml")).toEqual(
    expect.arrayContaining([
      "body : attribute",
      "body : text",
      'body : <?xml version="1.0"?><a b="attribute">text</a>',
    ]),
  );
});

test("a multipart body is read by fields, names of files and texts in files; pictures are left alone", () => {
  const part = (head: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const body =
    part('name="a"', "one") +
    part("name=b", "two") +
    part('name="f"; filename="../n.txt"', "three") +
    part('name="p"; filename="p.png"', "\u0089PNG\r\n\0\0\0<script>");
  for (const boundary of ["x", '"x"'])
    expect(bodyOf(`${body}--x--`, `multipart/form-data; boundary=${boundary}`)).toEqual([
      "body a: one",
      "body b: two",
      "body f.filename: ../n.txt",
      "body : three",
      "body p.filename: p.png",
    ]);
  expect(bodyOf(`${body}--x--`, "text/plain")).toContain("body a: one");
});

test("a body in another character set is read in it", () => {
  const wide = new Uint8Array(Buffer.from("hello <b>", "utf16le"));
  for (const type of ["text/plain; charset=utf-16le", "text/plain"])
    expect(textsOf({ body: wide, headers: [["content-type", type]] })).toContain("body : hello <b>");
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes('{"a":"marked"}')]);
  expect(textsOf({ body: marked })).toContain("body a: marked");
  expect(bodyOf("+ADw-b+AD4-", "text/plain; charset=utf-7")).toContain("body : +ADw-b+AD4- <b>");
});

test("packed bodies are unpacked, and what cannot be unpacked is an obstacle", () => {
  const send = (body: Uint8Array, coding: string) => ({
    body,
    headers: [["content-encoding", coding]] as [string, string][],
  });
  const packed = new Uint8Array(gzipSync("hello there"));
  expect(textsOf(send(packed, "gzip"))).toContain("body : hello there");
  expect(obstacleOf(send(packed, "unheard-of"))).toBe("undecodable");
  expect(obstacleOf(send(bytes("no gzip"), "gzip"))).toBe("undecodable");
  expect(obstacleOf(send(new Uint8Array(gzipSync(Buffer.alloc(10_000_000))), "gzip"))).toBe("too-large");
});

test("more than the scan cap over all of a request is an obstacle", () => {
  expect(obstacleOf({ body: bytes("a".repeat(scanCapBytes - 1)) })).toBeNull();
  expect(obstacleOf({ body: bytes("a".repeat(scanCapBytes)) })).toBe("too-large");
  expect(obstacleOf({ query: "a".repeat(scanCapBytes) })).toBe("too-large");
  expect(obstacleOf({ query: "a".repeat(40_000), body: bytes("b".repeat(40_000)) })).toBe("too-large");
});

test("a text in base64 is read, a token is left as it is", () => {
  expect(textsOf({ query: `q=${btoa("<script>alert(1)")}` })).toContain("query q: <script>alert(1)");
  expect(textsOf({ query: "q=4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c" })).toHaveLength(2);
});

test("headers of browsers are looked at as soon as they say what no browser says", () => {
  const usual: [string, string][] = [
    ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"],
    ["Accept-Encoding", "gzip, deflate, br, zstd"],
    ["Accept-Language", "en-US,en;q=0.9,de;q=0.8"],
    ["Sec-CH-UA", '"Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"'],
    ["Sec-CH-UA-Mobile", "?0"],
    ["Sec-CH-UA-Platform", '"Chrome OS"'],
    ["Sec-Fetch-Site", "same-origin"],
    ["If-None-Match", 'W/"5f-18a", "b7+/="'],
    ["If-Modified-Since", "Wed, 21 Oct 2026 07:28:00 GMT"],
    ["Authorization", "Bearer aa.bb-cc_dd=="],
    ["Content-Type", "multipart/form-data; boundary=----WebKitFormBoundaryAbC"],
    ["Cache-Control", "max-age=0"],
    ["Host", "example.org:8443"],
    ["Origin", "https://example.org"],
    ["Range", "bytes=0-1023"],
    ["Priority", "u=1, i"],
  ];
  expect(textsOf({ headers: usual })).toEqual(["path : /"]);
  for (const [name] of usual)
    for (const value of ["$\u007bjndi:ldap://x/a}", "1 union select password from users", "../../etc/passwd"])
      expect(textsOf({ headers: [[name, value]] })).toContain(`header ${name.toLowerCase()}: ${value}`);
});

const formOf = (...parts: readonly (readonly [head: string, content: string])[]): string[] =>
  bodyOf(
    `${parts.map(([head, content]) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join("")}--x--`,
    "multipart/form-data; boundary=x",
  );

test("a field is looked at whatever it begins with: only what has a file's name is a file", () => {
  for (const head of ['name="m"; xfilename=1', 'name="m"; x="; filename=a"', 'name="m"'])
    expect(formOf([head, "\0' or 1=1"])).toContain("body m: \0' or 1=1");
  expect(formOf(['name="filename"', "\0' or 1=1"])).toContain("body filename: \0' or 1=1");
});

test("of a file of bytes the texts are looked at", () => {
  const texts = formOf(['name="f"; filename="p.png"', "\u0089PNG\0\0<?php system('id'); ?>\0abc\0"]);
  expect(texts).toEqual(["body f.filename: p.png", "body : <?php system('id'); ?>"]);
});

test("what stands in the head of a part is looked at: every name of a file, other parameters and other headers", () => {
  const texts = formOf([
    `name="f"; filename="a.txt"; filename*=UTF-8''..%2fb.php; note="' or 1"\r\nX-Note: \${x}\r\nContent-Type: <b>`,
    "content",
  ]);
  expect(texts).toEqual(
    expect.arrayContaining([
      "body f.filename: a.txt",
      "body f.filename: UTF-8''..%2fb.php",
      "body part.content-disposition: ' or 1",
      "body part.x-note: $\u007bx}",
      "body part.content-type: <b>",
    ]),
  );
});

test("JSON that is a text in JSON is read once more, under its field's name", () => {
  const inner = JSON.stringify({ $ne: null, a: ["text", JSON.stringify({ b: "deeper" })] });
  expect(bodyOf(JSON.stringify({ filter: inner }))).toEqual([
    `body filter: ${inner}`,
    "body filter: $ne",
    "body filter: text",
    'body filter: {"b":"deeper"}',
  ]);
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(obstacleOf({ body: bytes(JSON.stringify([nested(65)])) })).toBe("too-deep");
});

test("JSON with something behind it, before it, or more JSON is read as JSON too", () => {
  for (const text of ['{"a":{"$ne":"\\"it"}} x', '{}\n{"a":{"$ne":"\\"it"}}', '\u00a0{"a":{"$ne":"\\"it"}}'])
    expect(bodyOf(text)).toEqual(expect.arrayContaining(["body a.$ne: $ne", 'body a.$ne: "it']));
});

test("names are cut, and a name that was cut is no field's", () => {
  const [subject] = requestSubjects(
    requestWith({ body: bytes(JSON.stringify({ ["K".repeat(1_000)]: ["text"] })) }),
  ).subjects.slice(1);
  expect(subject?.name).toBe(`${"k".repeat(longestName - 1)}…`);
});

test("more odd texts than can be looked at in time are an obstacle; words, numbers and addresses are not", () => {
  const listOf = (count: number, text: (index: number) => unknown) =>
    bytes(JSON.stringify(Array.from({ length: count }, (_, index) => text(index))));
  expect(obstacleOf({ body: listOf(mostOddTexts + 2, (index) => `'${index}`) })).toBe("too-large");
  expect(obstacleOf({ body: listOf(mostOddTexts - 2, (index) => `'${index}`) })).toBeNull();
  expect(obstacleOf({ body: listOf(mostOddTexts * 8 + 2, () => "(a)") })).toBe("too-large");
  for (const text of [
    (index: number) => `Is it number ${index}?`,
    (index: number) => `w${index}`,
    (index: number) => index,
    (index: number) => ({ at: "2026-11-21T12:00:00Z", n: index }),
    (index: number) => `u${index}@example.org`,
  ])
    expect(obstacleOf({ body: listOf(1_600, text) })).toBeNull();
});
