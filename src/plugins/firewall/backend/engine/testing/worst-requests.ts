import type { InspectedRequest } from "../engine-types.ts";
import { mostOddTexts } from "../subject.ts";
import { requestWith } from "./inspect.ts";

/** A request that is made to take long. */
export type WorstRequest = { name: string; request: InspectedRequest };

const bodyBytes = 62_000;
const fewerThanRefused = mostOddTexts - 5;
const headBytes = 14_000;

const pieces = (make: (index: number) => string, separator: string, bytes: number): string => {
  const made: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const piece = make(index);
    made.push(piece);
    length += piece.length + separator.length;
  }
  return made.slice(0, -1).join(separator);
};

const body = (type: string, text: string): InspectedRequest =>
  requestWith({
    path: "/api/contact",
    headers: [["content-type", type]],
    body: new TextEncoder().encode(text),
  });
const json = (text: string): InspectedRequest => body("application/json", text);
const form = (make: (index: number) => string): InspectedRequest =>
  body("application/x-www-form-urlencoded", pieces(make, "&", bodyBytes));
const plain = (piece: string): InspectedRequest =>
  body("text/plain", piece.repeat(Math.floor(bodyBytes / piece.length)));
const listOf = (text: (index: number) => string, bytes = bodyBytes): string =>
  `[${pieces((index) => JSON.stringify(text(index)), ",", bytes)}]`;

const longName = "K".repeat(30_000);
const nestedName = `{"${"Kk'".repeat(133)}":`;

/** Small texts, of which a body has thousands: each with what another kind of attack begins with. */
const small = (index: number): string => {
  const starts = [
    "'",
    "a'a$(",
    "<a ",
    "$\u007b",
    "|cat",
    "';",
    "../",
    "or 1",
    "&lt;",
    "\\x41",
    "{{",
    "--",
    "a=b",
  ];
  return `${starts[index % starts.length]}${index % 97}`;
};

/** Bodies of 62 KB, and heads of 14 KB, that took a careless engine tens or hundreds of milliseconds. */
export const worstRequests: readonly WorstRequest[] = [
  {
    name: "a long name of thousands of texts",
    request: json(`{"${longName}":${listOf(() => "'", 30_000)}}`),
  },
  {
    name: "a long name of thousands of words",
    request: json(`{"${longName}":${listOf((index) => `w${index}`, 30_000)}}`),
  },
  {
    name: "long names within long names",
    request: json(`${nestedName.repeat(60)}${listOf((index) => `w${index}`, 32_000)}${"}".repeat(60)}`),
  },
  { name: "thousands of small texts in JSON", request: json(listOf(small)) },
  {
    name: "as many odd texts in JSON as are looked at",
    request: json(
      JSON.stringify(
        Array.from(
          { length: fewerThanRefused },
          (_, index) => `'a$(b <c $\u007bd |e ;f &g \u00e9 ${index} or it's ${"lorem ipsum ".repeat(4)}`,
        ),
      ),
    ),
  },
  { name: "thousands of words in JSON", request: json(listOf((index) => `word${index}`)) },
  {
    name: "thousands of names in JSON",
    request: json(`{${pieces((index) => `"k${index}":"'"`, ",", bodyBytes)}}`),
  },
  { name: "objects in a row", request: json('{"a":"b"}'.repeat(bodyBytes / 9)) },
  { name: "JSON in JSON", request: json(listOf((index) => `{"$ne":"${index}'"}`)) },
  { name: "thousands of names in a form", request: form(() => "'=") },
  { name: "thousands of texts in a form", request: form((index) => `a=${encodeURIComponent(small(index))}`) },
  { name: "thousands of quotes in a form", request: form(() => "a='") },
  { name: "thousands of numbers in a form", request: form(() => "x=1") },
  { name: "thousands of words in a form", request: form((index) => `x=w${index}`) },
  { name: "thousands of attributes", request: body("text/xml", `<a ${'="'.repeat(bodyBytes / 2)}`) },
  {
    name: "thousands of elements",
    request: body("text/xml", `<a>${"<b c='d\"'>e'f".repeat(bodyBytes / 14)}`),
  },
  {
    name: "thousands of parts",
    request: body("multipart/form-data; boundary=x", "--x\r\na:'b\r\n\r\n'\r\n".repeat(bodyBytes / 17)),
  },
  {
    name: "a part with thousands of parameters",
    request: body(
      "multipart/form-data; boundary=x",
      `--x\r\nContent-Disposition: form-data${";a='\"".repeat(bodyBytes / 6)}\r\n\r\nb\r\n--x--`,
    ),
  },
  {
    name: "a file of bytes with thousands of texts",
    request: body(
      "multipart/form-data; boundary=x",
      `--x\r\nContent-Disposition: form-data; filename=a\r\n\r\n${"\0';cat /etc/pass_".repeat(bodyBytes / 17)}\r\n--x--`,
    ),
  },
  ...["a|", "$(", "' or ", "x=1&", "a;", "\\x4", "+ADw-", "%25", "&x;", "'||'", "\r\n", "<a b="].map(
    (piece) => ({ name: `${JSON.stringify(piece)} over and over`, request: plain(piece) }),
  ),
  {
    name: "thousands of cookies",
    request: requestWith({ headers: [["cookie", pieces((index) => `'=${small(index)}`, ";", headBytes)]] }),
  },
  {
    name: "thousands of values in a query",
    request: requestWith({ query: pieces(() => "a=%27", "&", headBytes) }),
  },
  {
    name: "thousands of parts of a path",
    request: requestWith({ path: `/${pieces(() => "a%27", "/", headBytes)}` }),
  },
  {
    name: "a list of languages that does not end as one",
    request: requestWith({ headers: [["accept-language", `${pieces(() => "a;q=1", ", ", headBytes)} <`]] }),
  },
];
