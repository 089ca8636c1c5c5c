import type { ErrorKind, FieldError } from "#contract/errors.ts";

/** Why a command ended: what the API answered, or one of the reasons that only a terminal knows. */
export type FailureKind =
  | ErrorKind
  | "USAGE"
  | "CANCELLED"
  | "CHECKS_FAILED"
  | "UNREACHABLE"
  | "NO_INSTALLATION"
  | "UNWRITABLE"
  | "ADDRESS_UNAVAILABLE"
  | "PORT_IN_USE"
  | "DATA_DIR_IN_USE"
  | "DATABASE_UNUSABLE"
  | "DATABASE_UNFIT"
  | "BACKUP_UNUSABLE"
  | "SNAPSHOT_UNFIT"
  | "CONFIG_UNUSABLE"
  | "TRANSFER_IMPOSSIBLE";

/** What a failure can carry besides its text; `data` is what the API found out nevertheless, `exitCode` is used instead of its kind's. */
export type FailureDetails = {
  requestId?: string;
  errors?: readonly FieldError[];
  data?: unknown;
  cause?: unknown;
  exitCode?: number;
};

/** The end of a command that did not do what was asked; the message is for the person at the terminal. */
export class CliFailure extends Error {
  readonly kind: FailureKind;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly data: unknown;
  readonly exitCode: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { requestId, errors = [], data, cause, exitCode }: FailureDetails = {},
  ) {
    super(message, { cause });
    this.name = "CliFailure";
    this.kind = kind;
    this.requestId = requestId;
    this.errors = errors;
    this.data = data;
    this.exitCode = exitCode;
  }
}

/** Exit codes: done, failed, wrong usage, cannot reach or not allowed. For people: docs/cli.md. */
export const exitCodes = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

// What is not listed here has simply failed.
const codeByKind: Partial<Record<FailureKind, number>> = {
  USAGE: exitCodes.usage,
  UNREACHABLE: exitCodes.unreachable,
  NO_INSTALLATION: exitCodes.unreachable,
  DATA_DIR_IN_USE: exitCodes.unreachable,
  NOT_SIGNED_IN: exitCodes.unreachable,
  FORBIDDEN: exitCodes.unreachable,
  CROSS_ORIGIN: exitCodes.unreachable,
  MISDIRECTED_HOST: exitCodes.unreachable,
  DB_UNAVAILABLE: exitCodes.unreachable,
  SHUTTING_DOWN: exitCodes.unreachable,
  STARTING: exitCodes.unreachable,
};

// `serve` tells a supervisor when starting again is pointless (sysexits.h: EX_TEMPFAIL, EX_CONFIG).
const serveCodeByKind: Partial<Record<FailureKind, number>> = {
  DATA_DIR_IN_USE: 75,
  PORT_IN_USE: 75,
  CONFIG_UNUSABLE: 78,
  DATABASE_UNFIT: 78,
};

/** The exit code of a failure; `isServe` for the command that starts the server. */
export const exitCodeOf = (kind: FailureKind, isServe: boolean): number =>
  (isServe ? serveCodeByKind[kind] : undefined) ?? codeByKind[kind] ?? exitCodes.failed;
