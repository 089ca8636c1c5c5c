import type { DatabaseHandle } from "./database-handle.ts";

/**
 * A database that is being opened and made ready: `away` resolves when it has to be waited for, because a
 * server is away or another process migrates it, else never.
 */
export type DatabaseOpening = { handle: Promise<DatabaseHandle>; away: Promise<void> };
