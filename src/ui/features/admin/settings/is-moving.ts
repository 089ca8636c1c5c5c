import type { ServiceState, StorageState } from "#contract/settings.ts";

type Services = { redis: Pick<ServiceState, "state">; storage: Pick<StorageState, "state" | "migration"> };

/** Whether something is on its way that the next few seconds may change: a connection, or objects to their new home. */
export const isMoving = ({ redis, storage }: Services): boolean =>
  storage.migration !== null || redis.state === "connecting" || storage.state === "connecting";
