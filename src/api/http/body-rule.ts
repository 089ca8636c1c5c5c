import { AppError } from "#api/core/app-error.ts";
import type { Route } from "#api/door/passage.ts";
import { limits } from "#contract/limits.ts";
import { arrivedBytes } from "./arrived-bytes.ts";
import { isSafeMethod } from "./forged-call.ts";
import { readJson } from "./json-body.ts";
import { readUpload } from "./upload-body.ts";

const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;
const jsonBounds = { mostBytes: limits.jsonBodyBytes, withinMs: limits.bodyArrivalMs };

/**
 * Whether a request brings a body with a method that has none: caches and proxies disagree about what it means. The runtime
 * passes on no such body, only the headers that announce it. Source: RFC 9110 §9.3.1.
 */
export const hasStrayBody = ({ method, headers }: Request): boolean =>
  isSafeMethod(method) &&
  (headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0);

/**
 * Reads the body of a call that wants one: JSON in UTF-8 of at most 1 MB, or a form with one file where the route takes
 * that, or a message, with what is wrong with it. `null` for calls that want none. Throws `UNSUPPORTED_MEDIA_TYPE`,
 * `PAYLOAD_TOO_LARGE`; rejects with `REQUEST_TIMEOUT` for a body that does not arrive in time, and with the complaints of
 * {@link readJson}, of {@link readUpload} and of the route.
 */
export const checkBody = (
  request: Request,
  { bodyKind, bodyCheck }: Pick<Route, "bodyKind" | "bodyCheck">,
): Promise<unknown> | null => {
  if (bodyKind === "raw") return null;
  if (bodyKind === "upload") return readUpload(request);
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limits.jsonBodyBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bodyKind === "any-json") return hasBody(request, length) ? readTyped(request) : null;
  if (bodyKind === "message") return readTyped(request).then((value) => ({ value }), toFault);
  if (bodyCheck === null) return null;
  return readTyped(request).then((body) => {
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
