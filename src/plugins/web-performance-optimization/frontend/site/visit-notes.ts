import type { Beacon, Metric } from "../../backend/wire.ts";

/** What is known of a visit and was not sent yet. */
export type VisitNotes = {
  /** Notes a value; of each measurement only the first, since counts cannot be taken back. */
  value(metric: { id: string; name: Metric; value: number }): void;
  /** Notes that another page is on show. */
  step(to: string): void;
  /** What is to be sent, `null` where there is nothing; it is forgotten here. */
  take(): Beacon | null;
};

const mostValues = 30;
const mostSteps = 20;
const mostValue = 600_000;

/** Begins a visit at the page that the document was opened with, at the page `path` that is on show now. */
export const createVisitNotes = (opened: string, path: string): VisitNotes => {
  const noted = new Set<string>();
  let current = path;
  let values: Beacon["values"] = [];
  let steps: Beacon["steps"] = [];
  return {
    value: ({ id, name, value }) => {
      if (noted.has(id) || values.length >= mostValues) return;
      noted.add(id);
      values.push({
        page: opened,
        metric: name,
        value: Math.min(mostValue, Math.round(value * 1_000) / 1_000),
      });
    },
    step: (to) => {
      if (to !== current && steps.length < mostSteps) steps.push({ from: current, to });
      current = to;
    },
    take: () => {
      if (values.length === 0 && steps.length === 0) return null;
      const beacon = { values, steps };
      values = [];
      steps = [];
      return beacon;
    },
  };
};
