import type { BundlePart } from "./collect-parts.ts";

/** What a bundle lacks, a line for each reason: parts that are missing for the same one share it. Empty when all is there. */
export const missingParts = (parts: readonly Pick<BundlePart, "file" | "problem">[]): string[] => {
  const lacking = parts.filter(({ problem }) => problem !== null);
  const byReason = Map.groupBy(lacking, ({ problem }) => problem);
  return [...byReason].map(
    ([reason, files]) => `Missing ${files.map(({ file }) => file).join(", ")}: ${reason}`,
  );
};
