import { AppError } from "#api/core/app-error.ts";
import type { MetricSource, Readiness } from "#api/core/metrics.ts";
import { within } from "#api/core/timing.ts";

const states = ["starting", "ready", "degraded", "draining", "unavailable"] as const;
const askMs = 2_000;

/** Whether requests can be answered, and how often sessions are remembered. */
export const appSource = ({
  readiness,
  sessionLooks,
  isStarting = () => false,
}: {
  readiness: Readiness;
  sessionLooks: { asked: number; read: number };
  /** Whether nobody but probes is answered yet. */
  isStarting?: () => boolean;
}): MetricSource => ({
  name: "app",
  metrics: [
    {
      name: "atrium_ready_state",
      kind: "gauge",
      help: "1 for what /api/ready says, 0 for the rest; unavailable is the database's absence",
      labels: ["state"],
    },
    {
      name: "atrium_session_lookups_total",
      kind: "counter",
      help: "Requests with a session's cookie, by where the session was found",
      labels: ["source"],
    },
  ],
  read: async () => {
    const now = isStarting() ? "starting" : await stateOf(readiness);
    const { asked, read } = sessionLooks;
    return [
      ...states.map((state) => ({
        name: "atrium_ready_state",
        labels: { state },
        value: state === now ? 1 : 0,
      })),
      { name: "atrium_session_lookups_total", labels: { source: "memory" }, value: asked - read },
      { name: "atrium_session_lookups_total", labels: { source: "database" }, value: read },
    ];
  },
});

const stateOf = async (readiness: Readiness): Promise<(typeof states)[number]> => {
  try {
    return (await within(askMs, readiness.read())).status;
  } catch (error) {
    return error instanceof AppError && error.kind === "SHUTTING_DOWN" ? "draining" : "unavailable";
  }
};
