import { CommanderError } from "commander";
import { type ErrorKind, errorStatus, errorTexts, type FieldError } from "#contract/errors.ts";

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

/** What a failure can carry besides its text; `data` is what the API found out nevertheless, `exitCode` replaces that of its kind. */
type FailureDetails = {
  requestId?: string | undefined;
  errors?: readonly FieldError[];
  data?: unknown;
  cause?: unknown;
  exitCode?: number | undefined;
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

/** The failure of a command that was typed wrong. */
export const usage = (message: string, details?: FailureDetails): CliFailure =>
  new CliFailure("USAGE", message, details);

/** Exit codes: done, failed, wrong usage, cannot reach or not allowed. Described in docs/cli.md. */
export const exitCodes = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

// What is not listed here has simply failed.
const codeByKind: Partial<Record<FailureKind, number>> = {
  USAGE: exitCodes.usage,
  VALIDATION_FAILED: exitCodes.usage,
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

/**
 * Whatever ended a command, as a failure to show. Unexpected errors are `INTERNAL`. `group` is the word whose command is
 * missing where one is.
 */
export const toFailure = (error: unknown, group = ""): CliFailure => {
  if (error instanceof CliFailure) return error;
  if (error instanceof CommanderError) return new CliFailure("USAGE", usageText(error, group));
  if (!(error instanceof Error)) return new CliFailure("INTERNAL", String(error));
  const kind = kindOf(error);
  return new CliFailure(kind ?? "INTERNAL", messageOf(kind, error), {
    errors: problemsIn(error),
    cause: error,
  });
};

/** Whether a command ended because there is no installation yet. */
export const isWithoutInstallation = (error: unknown): boolean => toFailure(error).kind === "NO_INSTALLATION";

/**
 * What went wrong, for a line that says already that something did: of an unexpected error only the reasons, without the
 * general words before them.
 */
export const faultText = (error: unknown): string => {
  const { kind, message, cause } = toFailure(error);
  const isUnforeseen = kind === "INTERNAL" && cause === error && error instanceof Error;
  return isUnforeseen && kindOf(error) === undefined ? reasonsIn(error) : message;
};

// By name, so that starting a small command does not load the modules that throw these.
const kindByName: Record<string, FailureKind> = {
  ConfigError: "CONFIG_UNUSABLE",
  UnusableKeyError: "CONFIG_UNUSABLE",
  UnusableInstallationError: "CONFIG_UNUSABLE",
  UnusableFeatureError: "CONFIG_UNUSABLE",
  TargetAddressError: "USAGE",
  TransferError: "TRANSFER_IMPOSSIBLE",
  ArchiveError: "BACKUP_UNUSABLE",
  DataFolderInUseError: "DATA_DIR_IN_USE",
  PortInUseError: "PORT_IN_USE",
  DatabaseUnusableError: "DATABASE_UNUSABLE",
  UnfitDatabaseError: "DATABASE_UNFIT",
  NoInstallationError: "NO_INSTALLATION",
  UnfitSnapshotError: "SNAPSHOT_UNFIT",
  PackageError: "PLUGIN_INVALID",
  PluginBuildError: "PLUGIN_INVALID",
  UnusableListError: "VALIDATION_FAILED",
};

const kindByCode: Record<string, FailureKind> = {
  EADDRNOTAVAIL: "ADDRESS_UNAVAILABLE",
};

const kindOf = (error: Error): FailureKind | undefined => {
  const [code, kind] = [Reflect.get(error, "code"), Reflect.get(error, "kind")];
  if (error.name === "AppError" && isErrorKind(kind)) return kind;
  return kindByName[error.name] ?? (typeof code === "string" ? kindByCode[code] : undefined);
};

const isErrorKind = (value: unknown): value is keyof typeof errorStatus =>
  typeof value === "string" && Object.hasOwn(errorStatus, value);

const messageOf = (kind: FailureKind | undefined, error: Error): string => {
  if (error.name === "ConfigError") return "the configuration is invalid";
  if (kind === "DATA_DIR_IN_USE") return `data directory in use by ${holderOf(error)}`;
  if (kind === "ADDRESS_UNAVAILABLE") return `cannot listen on HOST and PORT: ${error.message}`;
  return kind === undefined ? `${errorTexts.INTERNAL}: ${reasonsIn(error)}${placeIn(error)}` : error.message;
};

// The code of own features may throw while it is loaded, which only its place tells.
const placeIn = ({ stack = "" }: Error): string => {
  const place = /\bsrc\/plugins\/[^\s()]+:\d+/.exec(stack)?.[0];
  return place === undefined ? "" : ` (${place})`;
};

// A failed query's message ends with its parameters, which may be secret; its cause says what went wrong.
const reasonsIn = (error: Error): string => {
  const own = error.message.split("\nparams: ")[0] ?? "";
  return error.cause instanceof Error ? `${own}: ${reasonsIn(error.cause)}` : own;
};

const holderOf = (error: Error): string => {
  const pid: unknown = Reflect.get(error, "pid");
  return typeof pid === "number" ? `pid ${pid}` : "another process";
};

const problemsIn = (error: Error): { path: string; message: string }[] => {
  const problems: unknown = Reflect.get(error, "problems");
  if (!Array.isArray(problems)) return [];
  if (kindOf(error) === "PLUGIN_INVALID")
    return problems.map(({ path, message }) => ({ path: String(path), message: String(message) }));
  return problems.map(({ variable, value, expected }) => ({
    path: String(variable),
    message: `is ${value === "" ? "empty" : `"${value}"`}; expected ${expected}`,
  }));
};

// Commander repeats an unknown option as it was typed, with whatever stood behind its `=`.
const usageText = ({ code, message }: CommanderError, group: string): string => {
  if (code === "commander.help")
    return `a command is missing; see: ${["atrium", group, "--help"].filter(Boolean).join(" ")}`;
  const text = message.replace(/^error: /, "").replace(/(--?[\w-]+)=[^']*/g, "$1");
  if (!/'--?\w*(?:password|token|secret|key)/i.test(text)) return text;
  return `${text}\nSecrets are never read from an argument: use the prompt, standard input or the environment.`;
};

/** What to do about a server that is in the way. */
export const stopIt = "stop it first, for example with: systemctl stop atrium";

/** How a server is started again. A unit comes first: what `serve` writes as root the unit's own user could not read. */
export const startIt = "systemctl start atrium, or without a unit: atrium serve";

/** How a server is started on a data folder. */
export const serveIt = (dataDir: string): string => `atrium serve --data-dir ${shellWord(dataDir)}`;

/** A text as one word of a shell command, for commands that can be run as printed. */
export const shellWord = (text: string): string =>
  /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
