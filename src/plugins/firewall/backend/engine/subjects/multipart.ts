import { addText } from "./add-text.ts";
import type { Collector } from "./collector.ts";
import { decodeBytes } from "./decode-bytes.ts";

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

/** Adds the fields of a multipart body, their names, the names of files, and the content of files that are texts. */
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
  const head = utf8(content.slice(0, end.index));
  const value = content.slice(end.index + end[0].length).replace(/\r?\n$/, "");
  const name = parameterOf(head, "name");
  const fileName = parameterOf(head, "filename");
  if (fileName !== "") collector.add("body", `${name}.filename`, fileName);
  const type = /^content-type:\s*([^\r\n]*)/im.exec(head)?.[1]?.toLowerCase() ?? "";
  const isFile = fileName !== "" || /filename/i.test(head);
  const text = isFile && !isTextual(type, value) ? "" : decodeBytes(Buffer.from(value, "latin1"), type);
  if (isFile && text !== "") addText(collector, text, type);
  else collector.add("body", name, text);
};

const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

const parameterOf = (head: string, name: string): string => {
  const match = new RegExp(
    `[;\\s]${name}\\*?\\s*=\\s*(?:"((?:[^"\\\\\\r\\n]|\\\\.)*)"|'([^'\\r\\n]*)'|([^;\\s]*))`,
    "i",
  ).exec(head);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
};

/** Judged by the content as well: a type is easily claimed. */
const isTextual = (type: string, content: string): boolean =>
  /^text\/|xml|json/.test(type) || !content.slice(0, 4096).includes("\0");
