import { addText } from "./add-text.ts";
import type { Collector } from "./collector.ts";
import { decodeBytes } from "./decode-bytes.ts";
import { isUsualHeader } from "./usual-headers.ts";

/** The boundary of a multipart body, quoted or not, or as the body itself shows it; `null` when it is no such body. */
export const boundaryOf = (type: string, body: Uint8Array): string | null => {
  const named =
    /^\s*multipart\/[\w.-]+[\s\S]{0,512}?boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;,"]{1,200}))/i.exec(
      type,
    );
  if (named !== null) return named[1] ?? named[2] ?? null;
  const start = Buffer.from(body.subarray(0, 300)).toString("latin1");
  return /^\s*--([^\r\n]{1,200})\r?\ncontent-disposition:/i.exec(start)?.[1] ?? null;
};

/** Adds the fields of a multipart body, what stands in their heads, and of files all that is text. */
export const addMultipart = (collector: Collector, body: Uint8Array, boundary: string): void => {
  const text = Buffer.from(body).toString("latin1");
  const parts = text.split(`--${boundary}`);
  // A body that does not hold its boundary is read as some server might: as a text.
  if (parts.length < 2) addText(collector, decodeBytes(body, ""), "");
  else for (const part of parts) addPart(collector, part);
};

const addPart = (collector: Collector, part: string): void => {
  const content = part.replace(/^\r?\n/, "");
  const end = /\r?\n\r?\n/.exec(content);
  if (end === null) {
    if (/[^\s-]/.test(content)) collector.add("body", "", utf8(content));
    return;
  }
  const value = content.slice(end.index + end[0].length).replace(/\r?\n$/, "");
  const { name, isFile, type } = addHead(collector, utf8(content.slice(0, end.index)));
  if (isFile && isBinary(type, value)) {
    for (const [run] of value.matchAll(printableRuns)) collector.add("body", "", run);
    return;
  }
  const text = decodeBytes(Buffer.from(value, "latin1"), type);
  if (isFile) addText(collector, text, type);
  else collector.add("body", name, text);
};

/** What a part says of itself. A file is what is given the name of one, were it empty: whatever else is a field. */
type Head = { name: string; isFile: boolean; type: string };

/** Adds what stands in the head of a part besides the name of its field. */
const addHead = (collector: Collector, written: string): Head => {
  const head: Head = { name: "", isFile: false, type: "" };
  for (const line of written.split(/\r?\n(?![ \t])/)) {
    const colon = line.indexOf(":");
    const header = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (header === "content-disposition") readDisposition(collector, head, value);
    else if (!isUsualHeader(header, value)) collector.add("body", `part.${header}`, value, "");
    if (header === "content-type") head.type = value.toLowerCase();
  }
  return head;
};

const readDisposition = (collector: Collector, head: Head, value: string): void => {
  const names: string[] = [];
  const files: string[] = [];
  for (const [parameter, text] of parametersOf(value)) {
    if (parameter === "name") names.push(text);
    else if (/^filename\*?$/.test(parameter)) files.push(text);
    else if (!/^[\w-]*$/.test(text)) collector.add("body", "part.content-disposition", text, "");
  }
  head.name = names[0] ?? "";
  head.isFile = files.length > 0;
  // Who reads the last one where two are given reads another one than who reads the first.
  for (const name of names.slice(1)) collector.add("body", name, "");
  for (const file of files) collector.add("body", `${head.name}.filename`, file);
};

const parameter =
  /;\s{0,8}([^\s=;"']{0,64})\s{0,8}=\s{0,8}(?:"((?:[^"\\\r\n]|\\.)*)"?|'([^'\r\n]*)'|([^;]*))|;([^=;]*)/gy;

/** Parameters behind the first word of a header; of what is none, its text under no name. */
const parametersOf = (value: string): [name: string, text: string][] => {
  const start = value.indexOf(";");
  if (start === -1) return [["", value]];
  const found: [string, string][] = [["", value.slice(0, start)]];
  let at = start;
  while (at < value.length) {
    parameter.lastIndex = at;
    const match = parameter.exec(value);
    if (match === null) {
      found.push(["", value.slice(at)]);
      break;
    }
    const [whole, name = "", quoted, single, bare, flag] = match;
    found.push([name.toLowerCase(), quoted ?? single ?? bare?.trim() ?? flag ?? ""]);
    const next = value.indexOf(";", at + whole.length);
    // What is left between a closed text and the next parameter is looked at as well.
    const rest = value.slice(at + whole.length, next === -1 ? value.length : next).trim();
    if (rest !== "") found.push(["", rest]);
    at = next === -1 ? value.length : next;
  }
  return found;
};

const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

/** Letters that stand together in a file of bytes: chance hardly makes as many in 64 KB. */
const printableRuns = /[ -~\t\r\n]{16,}/g;

/** Judged by the content as well: a type is easily claimed. */
const isBinary = (type: string, content: string): boolean =>
  !/^text\/|xml|json/.test(type) && content.slice(0, 4096).includes("\0");
