import type { Log, LogFields, LogLevel } from "#api/core/log.ts";

/** A log that keeps what it is told. */
export type RecordingLog = Log & {
  readonly entries: { level: LogLevel; message: string; fields: LogFields | undefined }[];
};

export const createRecordingLog = (): RecordingLog => {
  const entries: RecordingLog["entries"] = [];
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    void entries.push({ level, message, fields });
  return {
    entries,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    flush: () => {},
  };
};
