import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import { type ClosableEventBus, createMemoryEventBus } from "./memory-event-bus.ts";
import { createPostgresEventBus } from "./postgres-event-bus.ts";

type EventBusOptions = { handle: DatabaseHandle; log: Log; link: RedisLink };

/** The bus that fits the database: replicas can only share a PostgreSQL server. */
export const createEventBus = async (options: EventBusOptions): Promise<ClosableEventBus> =>
  options.handle.kind === "postgres" ? createPostgresEventBus(options) : createMemoryEventBus(options.log);
