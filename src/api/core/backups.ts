import type { Database } from "./database.ts";

/** Where a finished backup goes: `handover` stays in the data folder until the client that asked for it fetches it. */
const backupPlaces = ["folder", "storage", "handover"] as const;
export type BackupPlace = (typeof backupPlaces)[number];

/** A place in which backups are kept. */
export type BackupShelf = Exclude<BackupPlace, "handover">;

/** A backup that is kept. */
export type BackupEntry = {
  name: string;
  place: BackupShelf;
  sizeBytes: number;
  createdAt: Date;
  isEncrypted: boolean;
};

/** One making of a backup, under way or over; of the newest one the database keeps this. */
export type BackupRun = {
  id: string;
  state: "running" | "done" | "failed";
  place: BackupPlace;
  isScheduled: boolean;
  startedAt: string;
  /** When it last showed that it is alive; one that has not for a minute has ended with its server. */
  beatAt: string;
  /** `copying` the embedded database, then `writing`. */
  stage: "copying" | "writing";
  table: string | null;
  rows: number;
  /** What was read so far, before it was compressed. */
  readBytes: number;
  /** Of the finished file. */
  name: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  error: string | null;
};

/** What a backup is to be. */
export type BackupOrder = {
  place: BackupPlace;
  isScheduled: boolean;
  /** Age recipients to encrypt it for; none leaves it in the open. */
  recipients: readonly string[];
  /** Whether the installation's key goes into it: only into an encrypted one. */
  isWithKey: boolean;
};

/** A file on its way out. */
export type BackupFile = { sizeBytes: number; bytes: AsyncIterable<Uint8Array> };

/** Makes backups and looks after them: see the module of that name. */
export type BackupService = {
  /**
   * Takes the turn to make one, in the caller's transaction. Throws `CONFLICT` while one is being made, and when there is
   * no object storage to bring it to; `VALIDATION_FAILED` for a recipient that is none.
   */
  claim(tx: Database, order: BackupOrder): Promise<BackupRun>;
  /** Makes what was claimed, once that is committed; the log has a row of how it ended. Never rejects. */
  make(run: BackupRun, order: BackupOrder): Promise<BackupRun>;
  /** Notes in the caller's transaction that the making under way is canceled. Throws `CONFLICT` when there is none. */
  cancel(tx: Database): Promise<BackupRun>;
  /** Ends a making that is canceled, once that is committed; another server's ends automatically within seconds. */
  halt(run: BackupRun): Promise<void>;
  /** The newest making, whichever server it runs on; `null` before the first. */
  run(): Promise<BackupRun | null>;
  /** Those that are kept, newest first; `storageFault` says why the ones in object storage are missing. */
  list(): Promise<{ backups: BackupEntry[]; storageFault: string | null }>;
  /** The content of one, or `null` when there is none. Throws `STORAGE_UNAVAILABLE`. */
  open(place: BackupPlace, name: string): Promise<BackupFile | null>;
  /** Removes one; `false` when there is none. Throws `STORAGE_UNAVAILABLE`. */
  remove(place: BackupPlace, name: string): Promise<boolean>;
  /** Removes what a server that was killed left in the data folder. Nothing may be under way there. */
  sweep(): Promise<void>;
  /** Ends what is under way; it fails. */
  stop(): Promise<void>;
};
