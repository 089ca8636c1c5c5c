import { isPlaceholder, isRepetition } from "#api/core/key-complaint.ts";
import { traceSamplers } from "#api/core/tracer.ts";
import { collectorUrl, headerPairs, hostAndPort, oneOf, ratio, word } from "./parsers.ts";
import { optional, type Variable } from "./variable.ts";

// Whoever has it reads how the installation is doing: it must not be guessed.
const leastTokenLength = 16;

/** What tells others how the server is doing, in the order in which `atrium doctor` shows it. */
export const observationVariables = {
  metricsToken: {
    name: "METRICS_TOKEN",
    expected: `a bearer token without spaces, of ${leastTokenLength} characters or more, neither a placeholder nor one piece again and again; make one with: openssl rand -hex 24`,
    ...optional((text) =>
      text.length < leastTokenLength || isPlaceholder(text) || isRepetition(text) ? undefined : word(text),
    ),
    whenUnset: "metrics off",
    hides: "all",
  },
  metricsAddress: {
    name: "METRICS_ADDRESS",
    expected: "host:port to serve metrics on without a token, such as 127.0.0.1:9464",
    ...optional(hostAndPort),
    whenUnset: "no address of their own",
    hides: "nothing",
  },
  otelEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    expected: "the http or https address of an OpenTelemetry collector",
    ...optional(collectorUrl),
    whenUnset: "traces off",
    hides: "nothing",
  },
  otelHeaders: {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    expected: "comma-separated name=value pairs, such as authorization=Bearer%20…",
    ...optional(headerPairs),
    whenUnset: "none",
    hides: "all",
  },
  otelServiceName: {
    name: "OTEL_SERVICE_NAME",
    expected: "a name without spaces",
    parse: word,
    fallback: "atrium",
    whenUnset: "atrium",
    hides: "nothing",
  },
  otelSampler: {
    name: "OTEL_TRACES_SAMPLER",
    expected: `one of ${traceSamplers.join(", ")}`,
    parse: oneOf(traceSamplers),
    fallback: "parentbased_always_on" as const,
    whenUnset: "parentbased_always_on",
    hides: "nothing",
  },
  otelSamplerRatio: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    expected: "a number from 0 to 1",
    parse: ratio,
    fallback: 1,
    whenUnset: "1",
    hides: "nothing",
  },
} as const satisfies Record<string, Variable<unknown>>;
