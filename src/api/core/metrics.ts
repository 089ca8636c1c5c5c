/** One figure as it stands at this moment. */
export type Sample = { name: string; labels?: Record<string, string>; value: number };

/** What a figure is: by Prometheus' conventions a counter's name ends in `_total`, and units are base units. */
export type MetricFacts = {
  name: string;
  kind: "counter" | "gauge";
  help: string;
  labels?: readonly string[];
};

/**
 * A part that can be asked for its figures. `read` is called at each scrape and may take its time or fail: then this part's
 * figures are missing from the answer, and nothing else. Labels must come from a small set that nobody outside chooses.
 */
export type MetricSource = {
  name: string;
  metrics: readonly MetricFacts[];
  read(): Sample[] | Promise<Sample[]>;
};
