import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace";
import type { TraceSampler } from "#api/core/tracer.ts";

/** The sampler of a name; `ratio` is the share of traces that the ones with a ratio keep. */
export const samplerOf = (name: TraceSampler, ratio: number): Sampler => {
  const root = rootOf(name.replace("parentbased_", ""), ratio);
  return name.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
};

const rootOf = (name: string, ratio: number): Sampler => {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};
