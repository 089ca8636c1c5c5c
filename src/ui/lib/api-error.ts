import type { ErrorKind, FieldError } from "#contract/errors.ts";
import { tryAgainIn } from "#contract/relative-time.ts";
import { asSentence } from "./as-sentence.ts";

/** A failed call's code: the server's own, or what went wrong on the way to it. */
export type ApiErrorCode = ErrorKind | "NETWORK" | "TIMEOUT" | "UNKNOWN";

type Details = {
  status: number;
  code: ApiErrorCode;
  errors?: FieldError[];
  needsVerification?: boolean;
  data?: unknown;
  cause?: unknown;
};

/** A call that did not succeed. `status` is 0 when no answer came; `message` is fit to be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errors: FieldError[];
  readonly needsVerification: boolean;
  /** What the call found out nevertheless; of any shape, `undefined` for most. */
  readonly data: unknown;

  constructor(message: string, details: Details) {
    const { status, code, errors = [], needsVerification = false, data, cause } = details;
    super(message, { cause });
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.needsVerification = needsVerification;
    this.data = data;
  }
}

/** Whether no (usable) answer came: the network is down, the call timed out, or a gateway answered instead. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "NETWORK" || error.code === "TIMEOUT");

/**
 * The error of an answer that is not a success; a body that is no error envelope leaves `fallback` as the message. Where
 * the limit on all calls refused, the message goes on to say how long to wait.
 */
export const errorFromAnswer = (
  { status, headers }: Pick<Response, "status" | "headers">,
  body: unknown,
  fallback: string,
): ApiError => {
  const envelope = isRecord(body) ? body : {};
  const { code, message, errors, needsVerification, data } = envelope;
  const words = typeof message === "string" && message !== "" ? message : fallback;
  const waitS = status === 429 ? callLimitWaitS(headers) : null;
  return new ApiError(waitS === null ? words : `${asSentence(words)} ${tryAgainIn(waitS)}`, {
    status,
    code: isErrorKind(code) ? code : "UNKNOWN",
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    needsVerification: needsVerification === true,
    data,
  });
};

/**
 * How long the limit on all calls keeps the client out; `null` when another limit refused. What both headers tell is one
 * number only if it was that one, which tells on every call how far it is used up.
 */
const callLimitWaitS = (headers: Headers): number | null => {
  const seconds = /^"core";r=0;t=(\d{1,6})$/.exec(headers.get("ratelimit") ?? "")?.[1];
  return seconds !== undefined && seconds === headers.get("retry-after") ? Number(seconds) : null;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

// Not looked up: a code that is new to this page is a newer server's or a plugin's, whose words are as good, and nothing
// here asks for it. What stands for an answer that never came is no server's to say.
const isErrorKind = (value: unknown): value is ErrorKind =>
  typeof value === "string" && /^(?!(?:NETWORK|TIMEOUT|UNKNOWN)$)[A-Z][A-Z\d_]*$/.test(value);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
