import type { MetricFacts, MetricSource, Sample } from "#api/core/metrics.ts";
import { within } from "#api/core/within.ts";
import { createCallMeter, type MeteredCall } from "./call-meter.ts";
import { type ExposedFamily, expositionType, writeExposition } from "./write-exposition.ts";

/** Figures for Prometheus. */
export type Metrics = {
  /** Takes an answered call in. */
  count(call: MeteredCall): void;
  /** Has one more part asked at each scrape. */
  add(source: MetricSource): void;
  /** Everything at this moment, as Prometheus reads it; within three seconds, whatever is away. */
  text(): Promise<string>;
  readonly contentType: string;
};

/** `build` becomes labels of `atrium_build_info`. */
export type MetricsOptions = { build: Record<string, string>; sourceMs?: number };

/** Counts calls, and asks sources for what they tell. */
export const createMetrics = ({ build, sourceMs = 2_500 }: MetricsOptions): Metrics => {
  const calls = createCallMeter();
  const sources: MetricSource[] = [];
  const info: ExposedFamily = {
    name: "atrium_build_info",
    kind: "gauge",
    help: "What runs here; always 1",
    samples: [{ labels: Object.entries(build), value: 1 }],
  };

  const scrape = async (): Promise<string> => {
    const told = await Promise.all(
      sources.map((source) => within(sourceMs, Promise.resolve().then(source.read)).catch(() => null)),
    );
    const up: ExposedFamily = {
      name: "atrium_metrics_source_up",
      kind: "gauge",
      help: "Whether this part told its figures at this scrape",
      samples: sources.map(({ name }, at) => ({ labels: [["source", name]], value: told[at] ? 1 : 0 })),
    };
    const asked = sources.flatMap(({ metrics }, at) =>
      metrics.map((facts) => familyOf(facts, told[at] ?? [])),
    );
    return writeExposition([info, up, ...asked, ...calls.families()]);
  };
  let scraping: Promise<string> | null = null;

  return {
    count: calls.count,
    add: (source) => void sources.push(source),
    text: () => {
      // Who asks meanwhile gets the same: many at once cost no more than one.
      scraping ??= scrape().finally(() => {
        scraping = null;
      });
      return scraping;
    },
    contentType: expositionType,
  };
};

const familyOf = (
  { name, kind, help, labels = [] }: MetricFacts,
  samples: readonly Sample[],
): ExposedFamily => ({
  ...{ name, kind, help },
  samples: samples
    .filter((sample) => sample.name === name)
    .map((sample) => ({
      labels: labels.map((label) => [label, sample.labels?.[label] ?? ""] as const),
      value: sample.value,
    })),
});
