import type { Client } from "./client.ts";

/** How many activities are older than a number of days. */
export const countOlder = async (client: Client, days: number): Promise<number> => {
  const endDate = new Date(Date.now() - days * dayMs).toISOString();
  const query = { endDate, limit: 1 };
  return (await client.call("GET /api/admin/activity", { query })).pagination.total;
};

const dayMs = 86_400_000;
