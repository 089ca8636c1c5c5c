import { AppError } from "#api/core/app-error.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { databaseError } from "#api/db/errors.ts";
import {
  type ErrorEnvelope,
  type ErrorKind,
  errorStatus,
  errorTexts,
  type FieldError,
  fieldTexts,
} from "#contract/errors.ts";

/** A failure ready to be sent. */
export type Failure = { status: number; body: ErrorEnvelope; headers: Record<string, string> };

/** Puts a known failure into the envelope. */
export const failureOf = (error: AppError, requestId: string): Failure => ({
  status: errorStatus[error.kind],
  body: {
    success: false,
    code: error.kind,
    message: error.message,
    requestId,
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.kind === "EMAIL_NOT_VERIFIED" ? { needsVerification: true as const } : {}),
    ...(error.data === undefined ? {} : { data: error.data }),
  },
  headers: error.retryAfterS === undefined ? {} : { "retry-after": String(error.retryAfterS) },
});

/**
 * Turns anything thrown while answering into an {@link AppError}. Unexpected errors are logged completely with the
 * request ID and answered "Something went wrong".
 */
export const toAppError = (error: unknown, code: string | number, requestId: string, log: Log): AppError => {
  if (error instanceof AppError) return error;
  if (code === "VALIDATION") {
    const all: unknown = Reflect.get(Object(error), "all");
    const errors = complaintsOf(Array.isArray(all) ? all : []);
    if (Reflect.get(Object(error), "type") !== "response")
      return new AppError("VALIDATION_FAILED", undefined, { errors });
    // The client did nothing wrong, and must not see the response, which the framework's text repeats.
    log.error("the response is not what the route declares", { requestId, errors });
    return new AppError("INTERNAL");
  }
  const kind = frameworkKinds[code];
  if (kind) return new AppError(kind, undefined, { cause: error });
  const known = databaseError(error);
  if (known) {
    log.warn("database unavailable", { requestId, error: describeError(error) });
    return known;
  }
  log.error("unexpected error", { requestId, error: describeError(error) });
  return new AppError("INTERNAL", undefined, { cause: error });
};

const frameworkKinds: Record<string | number, ErrorKind> = {
  NOT_FOUND: "NOT_FOUND",
  PARSE: "BAD_REQUEST",
  INVALID_COOKIE_SIGNATURE: "BAD_REQUEST",
  INVALID_FILE_TYPE: "UNSUPPORTED_MEDIA_TYPE",
};

const mostComplaints = 20;

/**
 * One complaint for each field at fault, 20 at most, from what a schema found. Only the schema's own words and the
 * field's path are used: the framework's text repeats the value, passwords included.
 */
export const complaintsOf = (entries: Iterable<unknown>): FieldError[] => {
  const complaints = new Map<string, string>();
  for (const entry of entries) {
    const path = String(Reflect.get(Object(entry), "path") ?? "")
      .replace(/^\//, "")
      .replaceAll("/", ".")
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
    if (!complaints.has(path)) complaints.set(path.slice(0, 100), wordsOf(entry));
    if (complaints.size >= mostComplaints) break;
  }
  if (complaints.size === 0) complaints.set("", errorTexts.VALIDATION_FAILED);
  return [...complaints].map(([path, message]) => ({ path, message }));
};

const wordsOf = (entry: unknown): string => {
  const schema: unknown = Reflect.get(Object(entry), "schema");
  const own: unknown = Reflect.get(Object(schema), "error");
  const value: unknown = Reflect.get(Object(entry), "value");
  if (typeof own === "string") return own;
  if (typeof own === "function") return String(own({ value }));
  const message: unknown = Reflect.get(Object(entry), "message");
  if (message === "Expected object") return fieldTexts.notAnObject;
  if (message === "Unexpected property") return fieldTexts.unknown;
  if (value === undefined) return fieldTexts.required;
  return typeof message === "string" ? message : errorTexts.VALIDATION_FAILED;
};
