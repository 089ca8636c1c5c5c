import type { DatabaseHandle } from "./database-handle.ts";

/**
 * A database that is being opened and made ready: `away` resolves when a server is found to be away and is waited for, else never.
 */
export type DatabaseOpening = { handle: Promise<DatabaseHandle>; away: Promise<void> };
