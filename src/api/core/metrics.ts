/** One current value of a metric. */
export type Sample = { name: string; labels?: Record<string, string>; value: number };

/** Describes a metric. As is the convention of Prometheus, counters end in `_total` and units are base units. */
export type MetricFacts = {
  name: string;
  kind: "counter" | "gauge";
  help: string;
  labels?: readonly string[];
};

/**
 * A part that reports metrics. `read` runs at each scrape; if it fails or takes too long, only this part's metrics are
 * missing. Labels must come from a small set that clients can't extend.
 */
export type MetricSource = {
  name: string;
  metrics: readonly MetricFacts[];
  read(): Sample[] | Promise<Sample[]>;
};

/** What `/api/metrics` responds with. */
export type MetricsEndpoint = {
  /** Whether a bearer token may read metrics; `null` where none is configured, so that the endpoint doesn't exist. */
  isAllowed: ((bearer: string | null) => boolean) | null;
  text(): Promise<string>;
  readonly contentType: string;
};

/** For servers without metrics. */
export const noMetrics: MetricsEndpoint = {
  isAllowed: null,
  text: async () => "",
  contentType: "text/plain",
};

/** Counts by a word from a small set. */
export type Counter<Word extends string> = {
  count(word: Word): void;
  /** All words counted so far, with their counts. */
  read(): [word: Word, times: number][];
};

/** Starts each of `words` at zero, so that Prometheus sees the first increase. */
export const createCounter = <Word extends string>(words: readonly Word[]): Counter<Word> => {
  const counts = new Map<Word, number>(words.map((word) => [word, 0]));
  return {
    count: (word) => void counts.set(word, (counts.get(word) ?? 0) + 1),
    read: () => [...counts],
  };
};

/** The state of a part, and since when as far as this process knows; `note` explains to admins what is wrong. */
export type PartState = {
  state: "up" | "away" | "degraded" | "starting" | "unused";
  since: string;
  note: string | null;
};

/** The parts that requests depend on. */
const readinessParts = ["database", "disk", "redis", "storage", "mail", "plugins"] as const;
export type ReadinessPart = (typeof readinessParts)[number];

/** `degraded`: requests are answered, but something that is configured doesn't work. */
export type ReadyReport = { status: "ready" | "degraded"; parts: Record<ReadinessPart, PartState> };

/** Whether the server can answer requests now. */
export type Readiness = {
  /** Throws `SHUTTING_DOWN` and `DB_UNAVAILABLE`, with the state as a word in `data.status`. */
  read(): Promise<ReadyReport>;
};
