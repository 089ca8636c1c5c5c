import type { Json, Kv } from "#plugins/sdk/types.ts";

/** Where signed-in admins came from within the last day, on all replicas. */
export type AdminsSeen = {
  note(ip: string): void;
  /** Those of other replicas among them, where they can be read. */
  addresses(): Promise<string[]>;
  /** Stores what is new. Throws what the store throws. */
  save(): Promise<void>;
};

const key = "admins-seen";
const keptMs = 24 * 60 * 60 * 1_000;
// An address that goes on being used need not be stored each time.
const freshMs = 60 * 60 * 1_000;
const most = 50;

/** Nobody was seen yet. */
export const createAdminsSeen = (kv: Pick<Kv, "get" | "set">, now: () => number): AdminsSeen => {
  const seen = new Map<string, number>();
  let hasNews = false;

  const merge = async (): Promise<void> => {
    for (const [ip, at] of Object.entries(Object(await kv.get(key))))
      if (typeof at === "number") seen.set(ip, Math.max(at, seen.get(ip) ?? 0));
    const latest = [...seen]
      .filter(([, at]) => now() - at < keptMs)
      .sort(([, one], [, other]) => other - one)
      .slice(0, most);
    seen.clear();
    for (const [ip, at] of latest) seen.set(ip, at);
  };

  return {
    note: (ip) => {
      const before = seen.get(ip);
      if (before !== undefined && now() - before < freshMs) return;
      seen.set(ip, now());
      hasNews = true;
    },
    addresses: async () => {
      await merge().catch(() => {});
      return [...seen].filter(([, at]) => now() - at < keptMs).map(([ip]) => ip);
    },
    save: async () => {
      if (!hasNews) return;
      await merge();
      await kv.set(key, Object.fromEntries(seen) satisfies Json);
      hasNews = false;
    },
  };
};
