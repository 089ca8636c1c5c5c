import { AppError } from "#api/core/app-error.ts";

/** One part of a form; `fileName` and `type` are `null` where they are not given, `bytes` a view of the form's. */
export type FormPart = { field: string; fileName: string | null; type: string | null; bytes: Uint8Array };

const mostParts = 10;
const mostHeaderBytes = 4_096;
const latin = new TextDecoder("latin1");
const utf8 = new TextDecoder();

/**
 * The parts of a multipart form that is in memory; nothing is copied. Throws `BAD_REQUEST` for what is no form, breaks
 * off, or has more than ten parts. Source: RFC 7578, RFC 2046 §5.1.1; no transfer encodings, as RFC 7578 §4.7 has it.
 */
export const readForm = (form: Uint8Array, boundary: string): FormPart[] => {
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.byteLength);
  const mark = `--${boundary}`;
  const parts: FormPart[] = [];
  if (bytes.subarray(0, mark.length).toString("latin1") !== mark) throw malformed();
  let at = mark.length;
  for (;;) {
    const next = latin.decode(bytes.subarray(at, at + 2));
    // An epilogue may follow, and means nothing.
    if (next === "--") return parts;
    if (next !== "\r\n" || parts.length >= mostParts) throw malformed();
    const headEnd = bytes.subarray(at, at + mostHeaderBytes).indexOf("\r\n\r\n");
    if (headEnd < 0) throw malformed();
    const start = at + headEnd + 4;
    const end = bytes.indexOf(`\r\n${mark}`, start, "latin1");
    if (end < 0) throw malformed();
    parts.push({ ...readHead(bytes.subarray(at + 2, at + headEnd)), bytes: bytes.subarray(start, end) });
    at = end + 2 + mark.length;
  }
};

const malformed = () => new AppError("BAD_REQUEST");

const readHead = (head: Uint8Array): Omit<FormPart, "bytes"> => {
  const headers = new Map<string, string>();
  for (const line of utf8.decode(head).split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name === "" || headers.has(name)) throw malformed();
    headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  const field = parameterOf(disposition, "name");
  if (!/^form-data\s*;/i.test(disposition) || field === null) throw malformed();
  const type = headers.get("content-type") ?? null;
  return {
    field,
    fileName: parameterOf(disposition, "filename"),
    type: type === null ? null : (type.split(";")[0] ?? "").trim().toLowerCase(),
  };
};

// Browsers quote both, and write a quote in them as %22: HTML standard, "multipart/form-data encoding algorithm".
const parameterOf = (disposition: string, name: string): string | null =>
  new RegExp(`;\\s*${name}="([^"]*)"`, "i").exec(disposition)?.[1] ?? null;
