import type { Json, Kv } from "#plugins/sdk/types.ts";

/** What each server shows the others of itself. */
export type Published = {
  /** Replaces what this server shows. Throws what the store throws. */
  publish(value: Json): Promise<void>;
  /** What the others show, by their short names. Throws what the store throws. */
  others(): Promise<Map<string, unknown>>;
  /** The short name of this server. */
  readonly own: string;
};

/** A server's ID as it fits into a key. */
export const shortName = (replica: string): string =>
  replica.replace(/[^A-Za-z0-9]/g, "").slice(-12) || "one";

/** One value a server under `name`, which expires after `ttlMs` without a new one. */
export const createPublished = (
  kv: Pick<Kv, "get" | "set" | "list">,
  { name, replica, ttlMs }: { name: string; replica: string; ttlMs: number },
): Published => {
  const own = shortName(replica);
  const prefix = `${name}:`;
  return {
    own,
    publish: async (value) => void (await kv.set(prefix + own, value, { ttlMs })),
    others: async () => {
      const found = new Map<string, unknown>();
      for (const key of (await kv.list(prefix)).keys) {
        const server = key.slice(prefix.length);
        if (server !== own) found.set(server, await kv.get(key));
      }
      return found;
    },
  };
};
