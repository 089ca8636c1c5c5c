import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/** Makes values read out as text in a form that gives back the same value everywhere, however the server is set up. */
export const exactTexts = async (tx: Database): Promise<void> => {
  await tx.execute(sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
    set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
    set_config('extra_float_digits', '3', true)`);
};
