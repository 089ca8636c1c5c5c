import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { type ClosableEventBus, createMemoryEventBus } from "./memory-event-bus.ts";
import { createPostgresEventBus } from "./postgres-event-bus.ts";

export type { ClosableEventBus } from "./memory-event-bus.ts";

/** The bus that fits the database: replicas can only share a PostgreSQL server. */
export const createEventBus = async (handle: DatabaseHandle, log: Log): Promise<ClosableEventBus> =>
  handle.kind === "postgres" ? createPostgresEventBus(handle, log) : createMemoryEventBus(log);
