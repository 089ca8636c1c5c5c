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

/** What `/api/metrics` is answered with. */
export type MetricsEndpoint = {
  /** Whether a bearer may see figures; `null` where there is no token, and so no such address. */
  isAllowed: ((bearer: string | null) => boolean) | null;
  text(): Promise<string>;
  readonly contentType: string;
};

/** Where nobody asked for metrics. */
export const noMetrics: MetricsEndpoint = {
  isAllowed: null,
  text: async () => "",
  contentType: "text/plain",
};

/** Counts by a word from a small set. */
export type Counter<Word extends string> = {
  count(word: Word): void;
  /** All words that ever were counted, with how often. */
  read(): [word: Word, times: number][];
};

/** Begins at zero for each of `words`, so that the first rise is seen as one. */
export const createCounter = <Word extends string>(words: readonly Word[]): Counter<Word> => {
  const counts = new Map<Word, number>(words.map((word) => [word, 0]));
  return {
    count: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    read: () => [...counts],
  };
};

/** How one of the parts is doing, and since when as far as this process knows; `note` says what is wrong, for admins. */
export type PartState = {
  state: "up" | "away" | "degraded" | "starting" | "unused";
  since: string;
  note: string | null;
};

/** The parts that requests are answered with. */
const readinessParts = ["database", "disk", "redis", "storage", "mail", "plugins"] as const;
export type ReadinessPart = (typeof readinessParts)[number];

/** `degraded`: requests are answered, but something that was set up does not work. */
export type ReadyReport = { status: "ready" | "degraded"; parts: Record<ReadinessPart, PartState> };

/** Whether requests can be answered at this moment. */
export type Readiness = {
  /** Throws `SHUTTING_DOWN` and `DB_UNAVAILABLE`, with the state as a word in `data.status`. */
  read(): Promise<ReadyReport>;
};
