import { api } from "#ui/lib/api.ts";

/** A place in which backups are kept. */
export type BackupPlace = "folder" | "storage";

/** A backup that is kept. */
export type Backup = {
  name: string;
  place: BackupPlace;
  sizeBytes: number;
  createdAt: string;
  isEncrypted: boolean;
};

/** The newest making of a backup, under way or over. */
export type BackupRun = {
  id: string;
  state: "running" | "done" | "failed";
  /** `handover` is one that the command line fetches and no list shows. */
  place: BackupPlace | "handover";
  isScheduled: boolean;
  startedAt: string;
  beatAt: string;
  stage: "copying" | "writing";
  rows: number;
  readBytes: number;
  name: string | null;
  sha256: string | null;
  error: string | null;
};

/** When backups are made by themselves, whereto, and how many of those are kept. */
export type BackupSchedule = {
  isEnabled: boolean;
  every: { hours: number } | { dailyAt: string };
  place: BackupPlace;
  keepLast: number | null;
  keepDays: number | null;
  recipients: string[];
};

/** Whether backups are made. */
export type BackupHealth = {
  run: BackupRun | null;
  last: { at: string; name: string } | null;
  /** The newest trial restore at the terminal: of which backup, and whether it was sound. */
  proof: { at: string; name: string; isSound: boolean } | null;
  schedule: BackupSchedule;
  nextAt: string | null;
};

/** All that the page shows. */
export type BackupState = BackupHealth & {
  backups: Backup[];
  /** Why those in object storage are missing. */
  storageFault: string | null;
  hasStorage: boolean;
};

const path = "/api/admin/backups";

/** Everything about backups. */
export const getBackups = async (): Promise<BackupState> => (await api.get<{ data: BackupState }>(path)).data;

/** Whether backups are made, without the list of them. */
export const getBackupHealth = async (): Promise<BackupHealth> =>
  (await api.get<{ data: BackupHealth }>(`${path}/health`)).data;

/** How far the newest making is. */
export const getRun = async (): Promise<BackupRun | null> =>
  (await api.get<{ data: BackupRun | null }>(`${path}/run`)).data;

/** Begins a backup, encrypted as scheduled ones are. */
export const startBackup = (place: BackupPlace): Promise<unknown> => api.post(path, { place });

/** Cancels the one that is being made, on whichever server; resolves to what to tell. */
export const cancelRun = async (): Promise<string> =>
  (await api.delete<{ message: string }>(`${path}/run`)).message;

/** Sets when backups are made; resolves to what to tell. */
export const setSchedule = async (schedule: Partial<BackupSchedule>): Promise<string> =>
  (await api.put<{ message: string }>(`${path}/schedule`, schedule)).message;

/** Removes one for good; resolves to what to tell. */
export const removeBackup = async (backup: Backup): Promise<string> =>
  (await api.delete<{ message: string }>(addressOf(backup))).message;

/** Where one is to be had as a file. */
export const downloadAddress = (backup: Backup): string => `${addressOf(backup)}/download`;

const addressOf = ({ place, name }: Backup): string => `${path}/${place}/${name}`;
