import { CommanderError } from "commander";
import { errorStatus, errorTexts } from "#contract/errors.ts";
import { CliFailure, type FailureKind } from "./failure.ts";

/**
 * Whatever ended a command, as a failure to show. What nobody foresaw is `INTERNAL`. `group` is the word whose command is
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
 * What went wrong, for a line that says already that something did: of what nobody foresaw the reasons alone, without the
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
  if (error.name === "ConfigError") return "the configuration cannot be used";
  if (kind === "DATA_DIR_IN_USE") return `data directory in use by ${holderOf(error)}`;
  if (kind === "ADDRESS_UNAVAILABLE")
    return `cannot listen on the address that HOST and PORT name: ${error.message}`;
  return kind === undefined ? `${errorTexts.INTERNAL}: ${reasonsIn(error)}` : error.message;
};

// A failed query's message ends with its parameters, which are nobody's business; its cause says what went wrong.
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
    message: `holds ${value === "" ? "nothing" : `"${value}"`}; expected ${expected}`,
  }));
};

// Commander repeats an unknown option as it was typed, with whatever stood behind its `=`.
const usageText = ({ code, message }: CommanderError, group: string): string => {
  if (code === "commander.help")
    return `a command is missing; see: ${["atrium", group, "--help"].filter(Boolean).join(" ")}`;
  const text = message.replace(/^error: /, "").replace(/(--?[\w-]+)=[^']*/g, "$1");
  if (!/'--?\w*(?:password|token|secret|key)/i.test(text)) return text;
  return `${text}\nSecrets are never taken from an argument: use a prompt, standard input or the environment.`;
};
