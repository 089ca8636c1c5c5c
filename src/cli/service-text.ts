import type { StorageState } from "#contract/settings.ts";
import { formatBytes, formatCount } from "./format.ts";

/** Who set a service up, as the end of "from …". */
export const sourceText = (source: "settings" | "environment"): string =>
  source === "settings" ? "the settings" : "REDIS_URL";

/** How many files lie where, and how far their move is. */
export const storageCounts = ({
  inDatabase,
  inR2,
  home,
  migration,
}: Pick<StorageState, "inDatabase" | "inR2" | "home" | "migration">): string => {
  const counts = `${files(inDatabase)} in the database, ${files(inR2)} in the bucket`;
  if (migration === null) return counts;
  const { moved, total, bytes, failed } = migration;
  const place = home === "r2" ? "bucket" : "database";
  const progress = `${formatCount(moved)} of ${formatCount(total)} moved to the ${place} (${formatBytes(bytes)})`;
  return `${counts}; ${progress}${failed === 0 ? "" : `, ${formatCount(failed)} failed`}`;
};

const files = (count: number): string => (count === 1 ? "1 file" : `${formatCount(count)} files`);
