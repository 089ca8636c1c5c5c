import type { ActivityEntry, ActivityFact, ActivitySource } from "#api/core/activity.ts";
import type { Context, Services } from "#api/core/context.ts";
import { activitySeverities, activityStatuses, activityTypes } from "#contract/activity.ts";
import type { Random } from "./random.ts";

const piece = 500;

/** Records facts in their order, each as a row of its own, and waits until they are in the log. */
export const fillActivity = async (
  { db, activity }: Pick<Services, "db" | "activity">,
  facts: readonly ActivityFact[],
): Promise<void> => {
  for (let from = 0; from < facts.length; from += piece) {
    await db.transaction(async (tx) => {
      for (const fact of facts.slice(from, from + piece)) await activity.record(tx, fact);
    });
    activity.wake();
    await activity.settle();
  }
};

/** A fact of Atrium itself at a moment, with an entry's words. */
export const factAt = (at: Date, entry: Partial<ActivityEntry> = {}): ActivityFact => ({
  entry: { type: "api_call", action: "Called an endpoint", ...entry },
  source: nobody,
  at,
});

const nobody: ActivitySource = { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null };

const plugins = ["core", "firewall", "licensing", "plugin-template"] as const;
const sources = [
  nobody,
  { ...nobody, actor: { kind: "plugin" } },
  { ...nobody, actor: { kind: "operator" }, ip: "local" },
  { ...nobody, actor: { kind: "visitor" }, ip: "203.0.113.7", userAgent: "Browser" },
] as const satisfies readonly ActivitySource[];
const words = ["alpha", "beta", "gamma", "delta", "Ärger", "100%_sure", "back\\slash"] as const;

/**
 * Facts of all sorts, evenly spread over a time that ends at `end`, the oldest first. Some kinds are frequent, some stand
 * among the oldest alone.
 */
export const randomFacts = (
  random: Random,
  { count, end, spanMs }: { count: number; end: Date; spanMs: number },
): ActivityFact[] =>
  Array.from({ length: count }, (_, at) => {
    const isOld = at < count / 10;
    return {
      entry: {
        type: random.once(2) ? "api_call" : random.pick(activityTypes),
        status: random.pick(activityStatuses),
        severity: random.once(2) ? "low" : random.pick(activitySeverities),
        pluginName: isOld ? "long-gone" : random.pick(plugins),
        action: `Did ${random.pick(words)}`,
        description: `${random.pick(words)} and ${random.pick(words)}, number ${at}`,
        ...(random.once(3) ? { durationMs: random.below(3_000) } : {}),
        ...(random.once(3) ? { userEmail: `${random.pick(["ada", "GRACE"])}@example.test` } : {}),
        ...(random.once(5) ? { before: { limit: at }, after: { limit: at + 1 } } : {}),
      },
      source: random.pick(sources),
      at: new Date(end.getTime() - Math.round((spanMs * (count - at)) / count)),
    };
  });

/** A caller who reads the log. */
export const operatorOf = (services: Services): Context => ({
  ...services,
  actor: { kind: "operator" },
  requestId: "test",
  ip: "local",
  userAgent: null,
});
