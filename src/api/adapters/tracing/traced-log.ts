import type { Log, LogFields } from "#api/core/log.ts";
import type { Tracer } from "#api/core/tracer.ts";

/** The same log, with the id of the trace under way in each line. */
export const tracedLog = (log: Log, tracer: Tracer): Log => {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields?: LogFields): void => {
      const traceId = tracer.traceId();
      log[level](message, traceId === null ? fields : { ...fields, traceId });
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), flush: log.flush };
};
