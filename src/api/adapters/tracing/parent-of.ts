import { type Context, ROOT_CONTEXT, trace } from "@opentelemetry/api";

const pattern = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** What a caller says it is part of; `null` for nothing, and for what is not well formed. Source: W3C Trace Context §3.2. */
export const parentOf = (traceparent: string | null): Context | null => {
  const [, traceId, spanId, flags] = pattern.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};
