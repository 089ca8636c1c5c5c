import { type ErrorKind, errorTexts, type FieldError } from "#contract/errors.ts";

/** What an {@link AppError} can carry besides its kind and message. */
export type AppErrorOptions = {
  /** What really happened, for the log only. */
  cause?: unknown;
  /** One entry for each field at fault. */
  errors?: FieldError[];
  /** Seconds after which a new try makes sense; sent as `Retry-After`. */
  retryAfterS?: number;
  /** What the call found out nevertheless; it is sent along. */
  data?: unknown;
};

/**
 * A failure meant for the person who called: `kind` decides status and exit code, `message` is final and public.
 * The field is not named `code`, because Elysia gives `error.code` a meaning of its own.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly data: unknown;

  constructor(kind: ErrorKind, message: string = errorTexts[kind], options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.errors = options.errors;
    this.retryAfterS = options.retryAfterS;
    this.data = options.data;
  }
}

/** A 422 about one or more fields. */
export const validationError = (errors: FieldError[]): AppError =>
  new AppError("VALIDATION_FAILED", errors[0]?.message ?? errorTexts.VALIDATION_FAILED, { errors });
