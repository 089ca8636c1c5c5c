/** One complaint about one field; `path` is dotted (`redis.endpoint`), empty for the body as a whole. */
export type FieldComplaint = { path: string; message: string };

/** What happened to a call that the server did not answer as it should. */
export type LocalErrorCode =
  /** No answer: nothing listens, the name is unknown, the line broke. `cause` has what the platform said. */
  | "UNREACHABLE"
  /** No answer within `timeoutMs`. */
  | "TIMEOUT"
  /** An answer, but none of Atrium's: a proxy's page, or the address of something else. */
  | "UNEXPECTED_ANSWER";

/** Why a call failed: what the server refused, or that none of its answers came. */
export class AtriumError extends Error {
  /** Stable, in UPPER_SNAKE: the server's own code, or a {@link LocalErrorCode}. */
  readonly code: LocalErrorCode | (string & {});
  /** The answer's status, 0 where none came. */
  readonly status: number;
  /** What the server's log knows the call by; `null` where it did not say. */
  readonly requestId: string | null;
  /** What is wrong with which field of a body or query; empty where the call failed for another reason. */
  readonly errors: readonly FieldComplaint[];
  /** What the call found out nevertheless, such as the permissions that a plugin asks for. */
  readonly data: unknown;
  /** Seconds after which a new try makes sense, where the server said so. */
  readonly retryAfterS: number | null;

  constructor(message: string, { code, status, requestId, errors, data, retryAfterS, cause }: ErrorParts) {
    super(message, { cause });
    this.name = "AtriumError";
    this.code = code;
    this.status = status ?? 0;
    this.requestId = requestId ?? null;
    this.errors = errors ?? [];
    this.data = data;
    this.retryAfterS = retryAfterS ?? null;
  }
}

type ErrorParts = {
  code: string;
  status?: number;
  requestId?: string | null;
  errors?: FieldComplaint[];
  data?: unknown;
  retryAfterS?: number | null;
  cause?: unknown;
};
