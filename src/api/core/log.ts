export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Record<string, unknown>;

/** Structured log: a short constant message and its facts. */
export type Log = Record<LogLevel, (message: string, fields?: LogFields) => void> & {
  /** Writes out what is buffered. */
  flush(): void;
};
