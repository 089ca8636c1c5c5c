import { sqlStateOf } from "#api/db/errors.ts";
import { UnfitPartError } from "#api/db/transfer/errors.ts";
import { archiveError } from "../archive/archive-error.ts";

/** What the database says about data of a backup that no database can have held becomes an `ArchiveError`. */
export const orAltered = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const isUnfit = error instanceof UnfitPartError || unfitStates.test(sqlStateOf(error) ?? "");
    throw isUnfit ? archiveError("altered", error) : error;
  }
};

// Data exceptions and violated constraints.
const unfitStates = /^(?:21|22|23)/;
