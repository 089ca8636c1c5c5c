import type { Client } from "./client.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** How many activities are older than a number of days. */
export const countOlder = async (client: Client, days: number): Promise<number> => {
  const endDate = new Date(Date.now() - days * dayMs).toISOString();
  return (await operationsOf(client).activity.list({ endDate, limit: 1 })).data.pagination.total;
};

const dayMs = 86_400_000;
