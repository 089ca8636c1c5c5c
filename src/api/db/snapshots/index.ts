export type { Snapshots } from "./create-snapshots.ts";
export { restoreSnapshot } from "./restore-snapshot.ts";
export { listSnapshots } from "./snapshot-files.ts";
