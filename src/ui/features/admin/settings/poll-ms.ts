import type { ServiceState, StorageState } from "#contract/settings.ts";

type Services = { redis: Pick<ServiceState, "state">; storage: Pick<StorageState, "state" | "migration"> };

/**
 * How soon to look again at how the services are doing: at once, nearly, while something is on its way, be it a connection
 * or objects to their new home; soon while one is away or (`null`) nothing is known; seldom where none is used. An admin
 * whose calls are counted like everybody's can leave the page open all the same.
 */
export const pollMs = (services: Partial<Services> | null): number => {
  if (services === null) return 5_000;
  const { redis, storage } = services;
  const states = [redis?.state, storage?.state];
  if ((storage?.migration ?? null) !== null || states.includes("connecting")) return 2_000;
  if (states.includes("away")) return 5_000;
  return states.includes("up") ? 15_000 : 30_000;
};
