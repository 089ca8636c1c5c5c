import type { Json, Kv } from "#plugins/sdk/types.ts";
import { againOnConflict, createPartedDocument, readUndamaged } from "../stored.ts";
import { anyNumber, anyText, fittingIn, type Of, object } from "../wire/shape.ts";
import type { Ban } from "../wire.ts";

const keptBan = object({
  ...{ address: anyText, reason: anyText, author: anyText },
  /** Milliseconds since 1970. */
  ...{ since: anyNumber, until: anyNumber },
  ...{ times: anyNumber, hits: anyNumber },
  /** Of two that know different things of an address, the newer is right. */
  changedAt: anyNumber,
});
/** A ban as it is kept. */
type KeptBan = Of<typeof keptBan>;

/** How long bans are, and when there is one automatically. */
export type BanRules = {
  isOn: boolean;
  afterBlocks: number;
  windowMs: number;
  firstMs: number;
  mostMs: number;
};

/** Who is kept out for a time, on this replica; what others know is merged in. */
export type Bans = ReturnType<typeof createBans>;

/** So many are kept; of more, those that ended first go. */
const mostBans = 2_000;
/** How long it is remembered that somebody was banned. */
const rememberedMs = 7 * 24 * 60 * 60 * 1_000;

/** Nobody is banned. */
export const createBans = (now: () => number) => {
  const bans = new Map<string, KeptBan>();
  let hasChanged = false;

  const alive = (ban: KeptBan | undefined): KeptBan | null =>
    ban !== undefined && ban.until > now() ? ban : null;

  const forget = (): void => {
    for (const [address, ban] of bans) if (ban.until + rememberedMs <= now()) bans.delete(address);
    if (bans.size <= mostBans) return;
    const sorted = [...bans.values()].sort((one, other) => one.until - other.until);
    for (const { address } of sorted.slice(0, bans.size - mostBans)) bans.delete(address);
  };

  const keep = (ban: KeptBan): KeptBan => {
    bans.set(ban.address, ban);
    hasChanged = true;
    if (bans.size > mostBans) forget();
    return ban;
  };

  /** Later than what is known, also where another server's clock is ahead: the last decision is the newest. */
  const changeOf = (known: KeptBan | undefined): number => Math.max(now(), (known?.changedAt ?? 0) + 1);

  const fresh = (
    address: string,
    reason: string,
    { author, ms }: { author: string; ms: number },
  ): KeptBan => {
    const before = bans.get(address);
    const times = before !== undefined && before.until + rememberedMs > now() ? before.times + 1 : 1;
    const since = now();
    return { address, reason, author, since, until: since + ms, times, hits: 0, changedAt: changeOf(before) };
  };

  const ban = (address: string, why: string, { firstMs, mostMs }: Pick<BanRules, "firstMs" | "mostMs">) => {
    const made = fresh(address, why, { author: "", ms: 0 });
    // Doubling 40 times is longer than anything may be.
    const ms = Math.min(mostMs, firstMs * 2 ** Math.min(40, made.times - 1));
    return keep({ ...made, until: made.since + ms });
  };

  const lift = (address: string): boolean => {
    const found = alive(bans.get(address));
    if (found === null) return false;
    keep({ ...found, until: now(), times: found.times, changedAt: changeOf(found) });
    return true;
  };

  return {
    /** Why an address is banned, and until when; `null` when it is not. */
    of: (address: string): { reason: string; until: number } | null => {
      if (bans.size === 0) return null;
      const found = alive(bans.get(address));
      if (found === null) return null;
      found.hits += 1;
      return found;
    },
    /** When something about the address was last decided, 0 if never: what was counted before that counts no longer. */
    changedAt: (address: string) => bans.get(address)?.changedAt ?? 0,
    /** Bans for longer each time. */
    ban,
    /** Bans for as long as an admin says. */
    set: ({ address, reason, ...given }: Pick<KeptBan, "address" | "reason" | "author"> & { ms: number }) =>
      keep(fresh(address, reason, given)),
    /** Whether there was a ban. */
    lift,
    liftAll: () => [...bans.keys()].filter(lift).length,
    /** Those in force, newest first. */
    list: (): KeptBan[] =>
      [...bans.values()].filter((one) => alive(one) !== null).sort((one, other) => other.since - one.since),
    /** Everything that is kept, for the store. */
    kept: (): KeptBan[] => {
      forget();
      return [...bans.values()];
    },
    merge: (others: readonly KeptBan[]) => {
      for (const other of others) {
        const own = bans.get(other.address);
        if (own === undefined || own.changedAt < other.changedAt)
          bans.set(other.address, { ...other, hits: Math.max(other.hits, own?.hits ?? 0) });
      }
      forget();
    },
    /** Whether something changed that the store does not have yet. */
    get hasChanged() {
      return hasChanged;
    },
    /** The same; asking makes it `false`. */
    takeChanged: () => {
      const changed = hasChanged;
      hasChanged = false;
      return changed;
    },
  };
};

/** A ban as pages show it. */
export const shownBan = (ban: KeptBan): Ban => ({
  address: ban.address,
  reason: ban.reason,
  author: ban.author,
  since: new Date(ban.since).toISOString(),
  until: new Date(ban.until).toISOString(),
  times: ban.times,
  hits: ban.hits,
});

/** Shares bans between replicas, and keeps them over a restart; `bans` is what this replica knows. */
export const createBansStore = (kv: Pick<Kv, "get" | "entry" | "set" | "delete">, bans: Bans) => {
  const document = createPartedDocument(kv, "bans");
  let version = 0;
  let isBehind = false;
  let turn: Promise<unknown> = Promise.resolve();

  const takeIn = async (): Promise<void> => {
    // A damaged list keeps nobody in or out that the memory does not: it is written anew.
    const found = await readUndamaged(document);
    bans.merge(fittingIn(keptBan, found?.value));
    version = found?.version ?? (await document.version().catch(() => 0));
  };

  const write = () =>
    againOnConflict(async (turn) => {
      if (turn > 1) await takeIn();
      version = await document.write(bans.kept() satisfies Json, version);
    });

  const sync = async (): Promise<boolean> => {
    const hasChanged = bans.takeChanged() || isBehind;
    isBehind = hasChanged;
    if (version === 0 || (await document.version()) !== version) await takeIn();
    if (!hasChanged) return false;
    await write();
    isBehind = false;
    return true;
  };

  return {
    /**
     * Takes in what others wrote, and writes what changed here; resolves to whether anything did. One at a time. Throws what
     * the store throws; it is tried again then.
     */
    sync: () => {
      const done = turn.then(sync, sync);
      turn = done.catch(() => {});
      return done;
    },
  };
};
