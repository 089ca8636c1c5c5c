import type { Database } from "#api/core/database.ts";
import { findChanged, type StoredSession } from "#api/modules/sessions/index.ts";
import { type CredentialCheck, createCredentialCheck } from "./credential-check.ts";

/** Asks the database whether sessions still are as they were found. */
export const createSessionCheck = (lookups: Database): CredentialCheck<StoredSession> =>
  createCredentialCheck((seen) => findChanged(lookups, seen));
