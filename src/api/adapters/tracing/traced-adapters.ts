import type { IdentityProvider } from "#api/core/context.ts";
import type { Log, LogFields } from "#api/core/log.ts";
import type { Bucket } from "#api/core/objects.ts";
import { noTracer, type Tracer, traced } from "#api/core/tracer.ts";
import type { MailTransport } from "../eml-transport.ts";

/** The same transport, with a span for each try. */
export const tracedTransport = (transport: MailTransport, tracer: Tracer): MailTransport => {
  if (tracer === noTracer) return transport;
  return {
    ...transport,
    send: (mail, signal) =>
      tracer.run({ name: `mail ${transport.kind}`, kind: "client" }, async (span) => {
        const outcome = await transport.send(mail, signal);
        span.end(outcome.kind === "sent" ? undefined : outcome.kind);
        return outcome;
      }),
  };
};

/** The same bucket, with a span for each call. */
export const tracedBucket = (bucket: Bucket, tracer: Tracer): Bucket => {
  const start = (name: string) => ({ name: `bucket ${name}`, kind: "client" as const });
  return {
    put: (name, bytes, options) => traced(tracer, start("put"), () => bucket.put(name, bytes, options)),
    get: (name, mostBytes) => traced(tracer, start("get"), () => bucket.get(name, mostBytes)),
    delete: (name) => traced(tracer, start("delete"), () => bucket.delete(name)),
    discard: (name) => traced(tracer, start("discard"), () => bucket.discard(name)),
    close: () => bucket.close(),
  };
};

/** The same provider, with a span for each exchange. */
export const tracedProvider =
  (tracer: Tracer) =>
  (name: string, provider: IdentityProvider): IdentityProvider => ({
    ...provider,
    authorizationUrl: (challenge) =>
      traced(tracer, { name: `${name} endpoints`, kind: "client" }, () =>
        provider.authorizationUrl(challenge),
      ),
    identify: (answer, challenge) =>
      traced(tracer, { name: `${name} identify`, kind: "client" }, () =>
        provider.identify(answer, challenge),
      ),
  });

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
