import { gzipSync } from "node:zlib";
import type { InspectedRequest } from "../engine-types.ts";
import { requestWith } from "./inspect.ts";

/** A way of putting a text into a request. */
export type Carrier = { name: string; carry(text: string): InspectedRequest };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const typed = (type: string): [string, string][] => [["content-type", type]];
const json = (value: unknown): InspectedRequest =>
  requestWith({ headers: typed("application/json"), body: bytes(JSON.stringify(value)) });
const query = (value: string): InspectedRequest => requestWith({ method: "GET", query: `page=2&q=${value}` });
const form = (value: string): InspectedRequest =>
  requestWith({ headers: typed("application/x-www-form-urlencoded"), body: bytes(`a=1&q=${value}`) });

const each = (text: string, write: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join("");
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const inEscapes = (text: string): string => each(text, (code) => `\\u${hex(code, 4)}`);
const inEntities = (text: string): string => each(text, (code) => `&#x${hex(code, 2)};`);

const deep = (text: string): unknown =>
  Array.from({ length: 20 }).reduce<unknown>(
    (inner, _, level) => (level % 2 === 0 ? { a: inner } : [inner]),
    text,
  );

const multipart = (text: string, boundary: string, written: string): InspectedRequest =>
  requestWith({
    headers: typed(`multipart/form-data; boundary=${written}`),
    body: bytes(
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="q"\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    ),
  });

const file = (text: string): InspectedRequest =>
  requestWith({
    headers: typed("multipart/form-data; boundary=x"),
    body: bytes(
      `--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--x--`,
    ),
  });

/** Header values as clients can write them: what is no visible ASCII is percent-encoded. */
const inHeader = (text: string): string => text.replace(/[^ -~]/gu, encodeURIComponent);

const packed = (value: unknown): InspectedRequest =>
  requestWith({
    headers: [...typed("application/json"), ["content-encoding", "gzip"]],
    body: new Uint8Array(gzipSync(JSON.stringify(value))),
  });

const wide = (text: string): InspectedRequest =>
  requestWith({
    headers: typed("application/json; charset=utf-16le"),
    body: new Uint8Array(Buffer.from(JSON.stringify({ q: text }), "utf16le")),
  });

const padded = (text: string, kilobytes: number): InspectedRequest =>
  json({ padding: "lorem ipsum ".repeat((kilobytes * 1024) / 12), q: text });

/** Places and writings in which the same text is to be judged the same. */
export const carriers: readonly Carrier[] = [
  { name: "query", carry: (text) => query(encodeURIComponent(text)) },
  {
    name: "query, every byte encoded",
    carry: (text) => query([...bytes(text)].map((byte) => `%${hex(byte, 2)}`).join("")),
  },
  { name: "query, encoded twice", carry: (text) => query(encodeURIComponent(encodeURIComponent(text))) },
  { name: "query, unicode escapes", carry: (text) => query(encodeURIComponent(inEscapes(text))) },
  { name: "query, %u", carry: (text) => query(each(text, (code) => `%u${hex(code, 4)}`)) },
  { name: "form", carry: (text) => form(encodeURIComponent(text).replaceAll("%20", "+")) },
  { name: "form, entities", carry: (text) => form(encodeURIComponent(inEntities(text))) },
  { name: "JSON, 20 levels deep", carry: (text) => json(deep(text)) },
  {
    name: "JSON, unicode escapes",
    carry: (text) => requestWith({ body: bytes(`{"q":"${inEscapes(text)}"}`) }),
  },
  { name: "JSON called a text", carry: (text) => ({ ...json({ q: text }), headers: typed("text/plain") }) },
  { name: "multipart", carry: (text) => multipart(text, "----x", "----x") },
  { name: "multipart, boundary in quotes", carry: (text) => multipart(text, "a b", '"a b"') },
  { name: "text file", carry: file },
  { name: "header", carry: (text) => requestWith({ headers: [["x-note", inHeader(text)]] }) },
  {
    name: "cookie",
    carry: (text) => requestWith({ headers: [["cookie", `a=1; q=${encodeURIComponent(text)}`]] }),
  },
  {
    name: "path",
    carry: (text) => requestWith({ method: "GET", path: `/search/${encodeURIComponent(text)}` }),
  },
  { name: "gzip", carry: (text) => packed({ q: text }) },
  { name: "UTF-16", carry: wide },
  { name: "8 KB padding", carry: (text) => padded(text, 8) },
  { name: "48 KB padding", carry: (text) => padded(text, 48) },
];

/** More than is looked through. */
export const oversized: readonly Carrier[] = [
  { name: "128 KB padding", carry: (text) => padded(text, 128) },
  { name: "gzip of 128 KB", carry: (text) => packed({ padding: " ".repeat(131_072), q: text }) },
];
