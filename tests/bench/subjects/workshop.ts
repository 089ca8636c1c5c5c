import { removeFolder, temporaryFolder } from "../../driver/start-server.ts";
import { findPostgres } from "../../services/postgres.ts";
import { type MeasuredPostgres, startMeasuredPostgres } from "./measured-postgres.ts";
import type { Subject } from "./start-subject.ts";

/** What one line of the benchmark builds up, to be torn down whole at its end. */
export type Workshop = {
  folder: string;
  /** `null` where PostgreSQL is not installed: its rows are left out then. */
  postgres: MeasuredPostgres | null;
  /** Has a subject stopped at the end. */
  keep(subject: Subject): Subject;
};

/** Runs `work` in a workshop of its own and tears that down, whatever happens. */
export const inWorkshop = async <T>(work: (workshop: Workshop) => Promise<T>): Promise<T> => {
  const folder = temporaryFolder();
  const subjects: Subject[] = [];
  const keep = (subject: Subject): Subject => {
    subjects.push(subject);
    return subject;
  };
  let postgres: MeasuredPostgres | null = null;
  try {
    postgres = findPostgres() === null ? null : await startMeasuredPostgres();
    return await work({ folder, postgres, keep });
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
    postgres?.stop();
    removeFolder(folder);
  }
};
