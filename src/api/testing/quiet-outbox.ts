import type { OutboxProbe } from "#api/core/context.ts";

/** An outbox through which nothing ever leaves. */
export const createQuietOutbox = (): OutboxProbe => ({
  transport: "outbox",
  server: null,
  from: "Atrium <no-reply@app.example>",
  counts: async () => ({ waiting: 0, dead: 0 }),
  health: () => ({ isHealthy: true, lastError: null }),
  hurry: () => {},
  test: async () => ({ isWorking: true, summary: "It has no recipient", details: "", steps: [] }),
});
