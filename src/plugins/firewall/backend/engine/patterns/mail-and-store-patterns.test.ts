import { expect, test } from "bun:test";
import { foundBy } from "../testing/inspect.ts";
import { mailAndStorePatterns } from "./mail-and-store-patterns.ts";

const found = (text: string): boolean => foundBy(mailAndStorePatterns, text).length > 0;

const attacks = [
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

const honest = [
  "Hello\nSubject: my order\nFrom: Ann",
  "Dear team,\nset the table for 10\nthanks",
  "List:\nA12 apples\nB7 pears",
  "Ann\nE-mail: ann@example.com",
  "ann@example.com\nplease write to me",
];

test("lines for a mail server, a header or a store behind a value are found", () => {
  expect(attacks.filter((text) => !found(text))).toEqual([]);
});

test("letters with lines that look like headers or lists are none", () => {
  expect(honest.filter(found)).toEqual([]);
});

test("a text of several lines in a body may have lines with a colon", () => {
  expect(foundBy(mailAndStorePatterns, "Hi\nFollow-up: none", { place: "body" })).toEqual([]);
});
