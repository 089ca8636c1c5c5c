import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/** How often a permission was used and a use refused since the last time that this was stored. */
export type UseCount = {
  plugin: string;
  permission: string;
  used: number;
  refused: number;
  lastUsedAt: Date | null;
};

/** Adds to what is stored. */
export const addUses = async (db: Database, counts: readonly UseCount[]): Promise<void> => {
  const rows = sql.join(
    counts.map(
      ({ plugin, permission, used, refused, lastUsedAt }) =>
        sql`(${plugin}, ${permission}, ${used}::bigint, ${refused}::bigint, ${lastUsedAt?.toISOString() ?? null}::timestamptz)`,
    ),
    sql`, `,
  );
  await db.execute(sql`
    insert into plugin_uses (plugin, permission, used, refused, last_used_at) values ${rows}
    on conflict (plugin, permission) do update set
      used = plugin_uses.used + excluded.used,
      refused = plugin_uses.refused + excluded.refused,
      last_used_at = greatest(plugin_uses.last_used_at, excluded.last_used_at)`);
};
