import { Kind, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { BodyCheck, Route } from "#api/door/exchange.ts";
import { type FieldError, fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { packageTexts, uploadTexts } from "#contract/plugin-texts.ts";
import { complaintsOf } from "./errors.ts";

const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;
const jsonBounds = { mostBytes: limits.jsonBodyBytes, withinMs: limits.bodyArrivalMs };

const safeMethods = new Set(["GET", "HEAD"]);

/** Whether a method only reads, unless a route says otherwise. Source: RFC 9110 §9.2.1. */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/**
 * Whether a request brings a body with a method that has none: caches and proxies disagree about what it means. The runtime
 * passes on no such body, only the headers that announce it. Source: RFC 9110 §9.3.1.
 */
export const hasStrayBody = ({ method, headers }: Request): boolean =>
  isSafeMethod(method) &&
  (headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0);

/**
 * Reads the body of a call that wants one: JSON in UTF-8 of at most 1 MB, or a form of texts or with one file where the route
 * takes that, or a message, with what is wrong with it. `null` for calls that want none. Throws `UNSUPPORTED_MEDIA_TYPE`,
 * `PAYLOAD_TOO_LARGE`; rejects with `REQUEST_TIMEOUT` for a body that does not arrive in time, and with the complaints of
 * {@link readJson}, of {@link readUpload} and of the route.
 */
export const checkBody = (
  request: Request,
  { bodyKind, bodyCheck }: Pick<Route, "bodyKind" | "bodyCheck">,
): Promise<unknown> | null => {
  if (bodyKind === "raw" || isSafeMethod(request.method)) return null;
  if (bodyKind === "upload") return readUpload(request);
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limits.jsonBodyBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bodyKind === "any-json") return hasBody(request, length) ? readTyped(request) : null;
  if (bodyKind === "message") return readTyped(request).then((value) => ({ value }), toFault);
  if (bodyCheck === null) return null;
  return (bodyKind === "form" ? readFields(request) : readTyped(request)).then((body) => {
    bodyCheck(body);
    return body;
  });
};

/** What is wrong with a message's text is told in a message: all but what ends the call before it is read. */
const toFault = (error: unknown): { fault: AppError } => {
  if (error instanceof AppError && (error.kind === "BAD_REQUEST" || error.kind === "VALIDATION_FAILED"))
    return { fault: error };
  throw error;
};

const hasBody = (request: Request, length: string | null): boolean =>
  length === null ? request.body !== null : Number(length) > 0;

const readTyped = (request: Request): Promise<unknown> => {
  if (!jsonType.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  }
  return arrivedBytes(request, jsonBounds).then(readJson);
};

const fieldsType = /^application\/x-www-form-urlencoded(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/** The texts of a form by their names. Throws `UNSUPPORTED_MEDIA_TYPE`; rejects with `BAD_REQUEST` for a name that comes twice. */
const readFields = (request: Request): Promise<Record<string, string>> => {
  if (!fieldsType.test(request.headers.get("content-type") ?? ""))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  return arrivedBytes(request, jsonBounds).then((bytes) => {
    const fields = [...new URLSearchParams(utf8.decode(bytes))];
    if (new Set(fields.map(([name]) => name)).size !== fields.length) throw new AppError("BAD_REQUEST");
    return Object.fromEntries(fields);
  });
};

/**
 * The check of a route's body; `null` for a route that declares none. Bodies are checked here although Elysia would do
 * it too: to explain what is wrong it prints the whole body, which takes long for a large one and throws for an object
 * whose `toString` is no function.
 */
export const createBodyCheck = (declared: unknown): BodyCheck | null => {
  if (!isSchema(declared)) return null;
  let compiled: TypeCheck<TSchema> | undefined;
  return (body) => {
    compiled ??= TypeCompiler.Compile(declared);
    if (compiled.Check(body)) return;
    throw new AppError("VALIDATION_FAILED", undefined, { errors: complaintsOf(compiled.Errors(body)) });
  };
};

/** By its mark: to look through all of it, as the library would, takes a start longer than the rest of its routes. */
const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && Kind in value;

// Far above what any call needs. Explaining what is wrong with a body costs time that grows faster than these.
const deepestLevel = 32;
const mostCommas = 10_000;
const mostComplaints = 20;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body that can be read in one way only: UTF-8 throughout, no name twice in one object, neither deeper
 * than 32 levels nor longer than 10,000 items. A byte order mark is passed over. Throws `BAD_REQUEST`, and a 422 that
 * names each text which no database can hold: one with a NUL or with half a character.
 */
const readJson = (bytes: Uint8Array): unknown => {
  const { value, members } = parse(bytes);
  const found: Findings = { members: 0, complaints: [] };
  inspect(value, "", found);
  // Of two members with one name, parsing keeps the last.
  if (found.members !== members) throw new AppError("BAD_REQUEST");
  if (found.complaints.length > 0) throw validationError(found.complaints);
  return value;
};

/** Whether a text holds what PostgreSQL cannot store: U+0000, or half of a surrogate pair. */
const isUnstorable = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed();

const parse = (bytes: Uint8Array): { value: unknown; members: number } => {
  try {
    const text = utf8.decode(bytes);
    const members = countMembers(text);
    return { value: JSON.parse(text), members };
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  }
};

const code = (character: string): number => character.charCodeAt(0);
const marks = {
  quote: code('"'),
  escape: code("\\"),
  colon: code(":"),
  comma: code(","),
  openings: [code("{"), code("[")],
  closings: [code("}"), code("]")],
};

/** How many members all objects have together, as written. Throws for a text that is too deep or too long to parse. */
const countMembers = (text: string): number => {
  let [level, commas, colons] = [0, 0, 0];
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === marks.quote) isInString = !isInString;
    else if (isInString) at += mark === marks.escape ? 1 : 0;
    else if (mark === marks.colon) colons += 1;
    else if (mark === marks.comma) commas += 1;
    else if (marks.openings.includes(mark)) level += 1;
    else if (marks.closings.includes(mark)) level -= 1;
    if (level > deepestLevel || commas > mostCommas) throw new AppError("BAD_REQUEST");
  }
  return colons;
};

type Findings = { members: number; complaints: FieldError[] };

const inspect = (value: unknown, path: string, found: Findings): void => {
  const complain = () => {
    if (found.complaints.length < mostComplaints)
      found.complaints.push({ path, message: fieldTexts.unprintable });
  };
  if (typeof value === "string" && isUnstorable(value)) complain();
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!isList) found.members += 1;
    // Such a name could not be shown either: the complaint is about what holds it.
    if (isUnstorable(key)) complain();
    else inspect(item, path === "" ? key : `${path}.${key}`.slice(0, 100), found);
  }
};

/** The first bytes of a body, whether that is all of it, and a request that still has the whole body. */
type PeekedBody = { bytes: Uint8Array; isWhole: boolean; request: Request };

/**
 * Looks at the first `mostBytes` of a request's body without taking it away. Rejects with `REQUEST_TIMEOUT` when they do
 * not arrive in time, and with `BAD_REQUEST` when the caller goes away before.
 */
export const peekBody = async (
  request: Request,
  { mostBytes, withinMs }: ArrivalBounds,
): Promise<PeekedBody> => {
  const reader = request.body?.getReader();
  if (reader === undefined) return { bytes: new Uint8Array(), isWhole: true, request };
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("REQUEST_TIMEOUT")), withinMs);
  try {
    while (!isWhole && size <= mostBytes) {
      const chunk = await Promise.race([reader.read(), deadline]);
      if (chunk.done) isWhole = true;
      else {
        chunks.push(chunk.value);
        size += chunk.value.byteLength;
      }
    }
  } catch (cause) {
    void reader.cancel().catch(() => {});
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks);
  const { url, method, headers, signal } = request;
  const body = isWhole ? bytes : resumed(bytes, reader);
  return {
    bytes: bytes.subarray(0, mostBytes),
    isWhole,
    request: new Request(url, { method, headers, signal, body }),
  };
};

/** What was read already, and then the rest as it comes. */
const resumed = (
  read: Uint8Array,
  rest: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(read),
    pull: async (controller) => {
      const chunk = await rest.read();
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: (reason) => rest.cancel(reason),
  });

/** How large a body may be, and how long it may take to arrive. */
type ArrivalBounds = { mostBytes: number; withinMs: number };

/**
 * The bytes of a request's body. An announced length is believed; a body without one is read up to the bound. Rejects
 * with `PAYLOAD_TOO_LARGE`, with `REQUEST_TIMEOUT` for a body that does not arrive in time, and with `BAD_REQUEST` when
 * the client disconnects before all of it has arrived.
 */
const arrivedBytes = async (request: Request, bounds: ArrivalBounds): Promise<Uint8Array> => {
  const length = request.headers.get("content-length");
  const isBounded = length === null && request.body !== null;
  const arrival = isBounded ? readBounded(request.body, bounds.mostBytes) : request.bytes();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("REQUEST_TIMEOUT")), bounds.withinMs);
  try {
    return await Promise.race([arrival, deadline]);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
};

const readBounded = async (body: ReadableStream<Uint8Array>, mostBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      throw new AppError("PAYLOAD_TOO_LARGE");
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
};

/** One part of a form; `fileName` and `type` are `null` where they are not given, `bytes` a view of the form's. */
type FormPart = { field: string; fileName: string | null; type: string | null; bytes: Uint8Array };

const mostParts = 10;
const mostHeaderBytes = 4_096;
const latin = new TextDecoder("latin1");
const lenientUtf8 = new TextDecoder();

/**
 * The parts of a multipart form that is in memory; nothing is copied. Throws `BAD_REQUEST` for what is no form, breaks
 * off, or has more than ten parts. Source: RFC 7578, RFC 2046 §5.1.1; no transfer encodings, as RFC 7578 §4.7 has it.
 */
const readForm = (form: Uint8Array, boundary: string): FormPart[] => {
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
  for (const line of lenientUtf8.decode(head).split("\r\n")) {
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

/** A file that came with a call. `name` is what its sender calls it, without folders: for messages alone. */
export type UploadedFile = { name: string; bytes: Uint8Array };

const fieldName = "plugin";
// What a form of one file adds to the file itself.
const overheadBytes = 16_384;
const arrivalMs = 60_000;
const formType = /^multipart\/form-data\s*;(.*)$/is;
// RFC 2046 §5.1.1: 1 to 70 characters, the last no space.
const boundaryParameter =
  /(?:^|;)\s*boundary\s*=\s*(?:"([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])"|([0-9A-Za-z'()+_,./:=?-]{1,70}))\s*(?:;|$)/i;
const zipTypes: readonly (string | null)[] = [
  null,
  "application/zip",
  "application/x-zip-compressed",
  "application/x-zip",
  "application/octet-stream",
];
const zipMark = [0x50, 0x4b, 0x03, 0x04];

/**
 * Reads a form with exactly one file, a zip of at most 20 MB in the field `plugin`. Nothing larger is ever held in
 * memory, and a file that does not arrive whole leaves nothing. Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`;
 * rejects with these, `REQUEST_TIMEOUT` after a minute, and `BAD_REQUEST` for a form without that one file.
 */
export const readUpload = (request: Request): Promise<UploadedFile> => {
  const parameters = formType.exec(request.headers.get("content-type") ?? "")?.[1];
  if (parameters === undefined) throw new AppError("UNSUPPORTED_MEDIA_TYPE", uploadTexts.noForm);
  const found = boundaryParameter.exec(parameters);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw new AppError("BAD_REQUEST");
  const mostBytes = limits.uploadBytes + overheadBytes;
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge();
  return arrivedBytes(request, { mostBytes, withinMs: arrivalMs }).then((bytes) => {
    if (bytes.byteLength > mostBytes) throw tooLarge();
    return onlyFile(readForm(bytes, boundary));
  }, refuseInWords);
};

const tooLarge = () => new AppError("PAYLOAD_TOO_LARGE", uploadTexts.tooLarge);

const refuseInWords = (error: unknown): never => {
  throw error instanceof AppError && error.kind === "PAYLOAD_TOO_LARGE" ? tooLarge() : error;
};

const onlyFile = (parts: FormPart[]): UploadedFile => {
  const [part, ...more] = parts;
  if (more.length > 0) throw refused(uploadTexts.oneFile);
  if (part === undefined || part.field !== fieldName || !part.fileName || part.bytes.byteLength === 0)
    throw refused(uploadTexts.noFile);
  if (part.bytes.byteLength > limits.uploadBytes) throw tooLarge();
  const name = lastSegment(part.fileName);
  if (!/\.zip$/i.test(name) || !zipTypes.includes(part.type))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", uploadTexts.onlyZip);
  if (!zipMark.every((byte, at) => part.bytes[at] === byte))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", packageTexts.not_zip);
  return { name, bytes: part.bytes };
};

const refused = (message: string) =>
  new AppError("BAD_REQUEST", message, { errors: [{ path: fieldName, message }] });

const lastSegment = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)
    .replace(/\p{C}/gu, "")
    .slice(-100);

/**
 * Checks that a query has only one reading. `search` is empty or begins with `?`. Throws `BAD_REQUEST` for escapes that are
 * not UTF-8, and a 422 for a field that contains a NUL, is not one of `names` where given, or is repeated unless fields
 * `mayRepeat`.
 */
export const checkQuery = (
  search: string,
  { mayRepeat = false, names = null }: { mayRepeat?: boolean; names?: readonly string[] | null } = {},
): void => {
  if (search === "") return;
  const seen = new Set<string>();
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    if (isUnstorable(name)) throw new AppError("BAD_REQUEST");
    const path = name.slice(0, 100);
    // A misspelled dry-run parameter would carry the change out.
    if (names !== null && !names.includes(name))
      throw validationError([{ path, message: fieldTexts.unknown }]);
    if (seen.has(name) && !mayRepeat) throw validationError([{ path, message: fieldTexts.repeated }]);
    if (at >= 0 && isUnstorable(decode(pair.slice(at + 1)))) {
      throw validationError([{ path, message: fieldTexts.unprintable }]);
    }
    seen.add(name);
  }
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new AppError("BAD_REQUEST", undefined, { cause });
  }
};
