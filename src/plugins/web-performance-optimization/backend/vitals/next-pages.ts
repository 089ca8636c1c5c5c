import { emptyAggregate, mergeAggregate } from "./histogram.ts";
import { dayMs, isAdminPage } from "./page-template.ts";
import type { VitalsStore } from "./vitals-store.ts";

/** Which pages visitors most often go to next, as far as it is known: never waits. */
export type NextPages = { current(): Record<string, string[]>; refresh(): Promise<void> };

const learnedFromDays = 14;
// Below that it is chance.
const leastSteps = 20;
const leastShare = 0.2;
const mostAhead = 2;

/**
 * Learns from the steps of the last two weeks. What is told goes to everybody: pages of the admin area are left out, and
 * so is everything that is no page.
 */
export const createNextPages = ({
  store,
  now,
}: {
  store: Pick<VitalsStore, "read">;
  now: () => number;
}): NextPages => {
  let known: Record<string, string[]> = {};
  return {
    current: () => known,
    refresh: async () => {
      const slots = await store.read(now() - learnedFromDays * dayMs, now());
      const { steps } = slots.reduce(
        (all, { aggregate }) => mergeAggregate(all, { pages: {}, steps: aggregate.steps }),
        emptyAggregate(),
      );
      known = Object.fromEntries(
        Object.entries(steps).flatMap(([from, counts]) => {
          const next = isForAll(from) ? likely(counts) : [];
          return next.length === 0 ? [] : [[from, next]];
        }),
      );
    },
  };
};

const isForAll = (page: string): boolean => page.startsWith("/") && !page.endsWith("*") && !isAdminPage(page);

const likely = (counts: Record<string, number>): string[] => {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all < leastSteps) return [];
  return Object.entries(counts)
    .filter(([to, count]) => isForAll(to) && count / all >= leastShare)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostAhead)
    .map(([to]) => to);
};
