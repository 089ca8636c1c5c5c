import { formatMs } from "@atrium/plugin-sdk/ui";
import type { Metric } from "../backend/wire.ts";

/** A metric's value in the reader's language: seconds from one second on; CLS is a plain number. */
export const formatFigure = (metric: Metric, value: number): string => {
  if (metric === "CLS") return new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 }).format(value);
  if (value < 1_000) return formatMs(value);
  return new Intl.NumberFormat(undefined, { style: "unit", unit: "second", maximumFractionDigits: 2 }).format(
    value / 1_000,
  );
};
