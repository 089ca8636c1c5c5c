/** What `/api/metrics` is answered with. */
export type MetricsDoor = {
  /** Whether a bearer may see figures; `null` where there is no token, and so no such address. */
  isAllowed: ((bearer: string | null) => boolean) | null;
  text(): Promise<string>;
  readonly contentType: string;
};

/** Where nobody asked for metrics. */
export const noMetrics: MetricsDoor = { isAllowed: null, text: async () => "", contentType: "text/plain" };
