import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { DatabaseHandle } from "./database-handle.ts";
import { checkPool, describePool, poolOptions } from "./pool.ts";
import { startPulse } from "./pulse.ts";
import * as schema from "./schema.ts";
import { createSockets } from "./sockets.ts";

/** Opens a pool on the server at `url`. No connection is made before it is needed. */
export const openPostgres = (url: string): DatabaseHandle => {
  const pulse = startPulse(url, () => sockets.cut());
  const sockets = createSockets(() => pulse.isAway);
  const sql = postgres(url, { ...poolOptions(sockets), max: 10 });
  const db = drizzle(sql, { schema });

  return {
    db,
    kind: "postgres",
    check: () => checkPool(sql),
    describe: () => describePool(sql),
    writeObstacle: () => null,
    listen: (channel, onMessage, onState) => pulse.listen(channel, { onMessage, onState }),
    notify: async (channel, payload) => void (await sql.notify(channel, payload)),
    exclusively: async (work) => {
      // The lock belongs to a connection, so the work needs one that is its own; it ends with it.
      const own = postgres(url, { ...poolOptions(sockets), max: 1, max_lifetime: null });
      try {
        await own`select pg_advisory_lock(${exclusiveLock})`;
        return await work(drizzle(own, { schema }));
      } finally {
        await own.end({ timeout: 1 });
      }
    },
    close: async () => {
      await pulse.stop();
      await sql.end({ timeout: 2 });
    },
  };
};

/** Any number that no other program would choose for an advisory lock: "atrium" in ASCII. */
const exclusiveLock = 0x61747269756d;
