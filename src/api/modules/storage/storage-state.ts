import type { Database } from "#api/core/database.ts";
import type { SettingsDesk } from "#api/core/settings.ts";
import type { MigrationProgress, StorageState } from "#contract/settings.ts";
import type { BucketSites } from "./bucket-sites.ts";
import { readProgress } from "./migration-store.ts";
import { countObjects } from "./store.ts";

export type StorageStateParts = { db: Database; settings: SettingsDesk; sites: BucketSites; startedAt: Date };

/** Where objects are and where they are going; of a bucket, how it is doing as this process sees it. */
export const storageState = async ({
  db,
  settings,
  sites,
  startedAt,
}: StorageStateParts): Promise<StorageState> => {
  const counts = await countObjects(db);
  const current = sites.current();
  const home = current?.id ?? null;
  const sum = (isCounted: (bucket: string | null) => boolean): number =>
    counts.reduce((total, { bucket, objects }) => total + (isCounted(bucket) ? objects : 0), 0);
  const astray = sum((bucket) => bucket !== home);
  const formerId = counts.find(({ bucket }) => bucket !== null && bucket !== home)?.bucket ?? null;
  const former = formerId === null ? null : await sites.open(formerId).catch(() => null);
  const site = current ?? former;
  return {
    state: site?.health.state ?? "unused",
    server: site?.origin ?? null,
    source: settings.current.bucket === null ? null : "settings",
    since: (site?.health.since ?? startedAt).toISOString(),
    reason: site?.health.reason ?? null,
    home: home === null ? "database" : "r2",
    inDatabase: sum((bucket) => bucket === null),
    inR2: sum((bucket) => bucket !== null),
    migration: astray === 0 ? null : await progressOf({ db, home, astray }),
  };
};

const progressOf = async ({
  db,
  home,
  astray,
}: {
  db: Database;
  home: string | null;
  astray: number;
}): Promise<MigrationProgress> => {
  const { moved, bytes, failed } = (await readProgress(db, home)) ?? { moved: 0, bytes: 0, failed: 0 };
  return { moved, total: moved + astray, bytes, failed };
};
