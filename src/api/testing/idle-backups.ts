import type { BackupEntry, BackupRun, BackupService } from "#api/core/backups.ts";

/** The name of the one backup that {@link createIdleBackups} begins with. */
export const idleBackup = "atrium-20260102T030405Z-0a1b2c.tar.zst";

const entry: BackupEntry = {
  name: idleBackup,
  place: "folder",
  sizeBytes: 5,
  createdAt: new Date(0),
  isEncrypted: false,
};

/** A service with one backup that is never gone, and whose makings never end. */
export const createIdleBackups = (): BackupService => {
  const isThere = (place: string, name: string) => place === entry.place && name === entry.name;
  return {
    claim: async (_tx, { place, isScheduled }) => newRun({ place, isScheduled }),
    make: () => new Promise(() => {}),
    cancel: async () => newRun({ place: "folder", isScheduled: false }),
    halt: async () => {},
    run: async () => null,
    list: async () => ({ backups: [entry], storageFault: null }),
    open: async (place, name) =>
      isThere(place, name) ? { sizeBytes: 5, bytes: new Blob(["hello"]).stream() } : null,
    remove: async (place, name) => isThere(place, name),
    sweep: async () => {},
    stop: async () => {},
  };
};

const newRun = (how: Pick<BackupRun, "place" | "isScheduled">): BackupRun => ({
  ...how,
  id: "run",
  state: "running",
  startedAt: new Date(0).toISOString(),
  beatAt: new Date(0).toISOString(),
  stage: "copying",
  table: null,
  rows: 0,
  readBytes: 0,
  name: null,
  sizeBytes: null,
  sha256: null,
  error: null,
});
