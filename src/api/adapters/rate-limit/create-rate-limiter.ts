import type { Redis } from "ioredis";
import type { Clock } from "#api/core/clock.ts";
import { hideKeys } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import type { RateDecision, RateLimiter, RateRule, SharedRateCounter } from "./rate-limiter.ts";

/**
 * `secret` hides clients' addresses in Redis; the same in all processes of an installation. The link is not to be used
 * before the limiter is made. `database` counts while there is no Redis; without it, memory alone does.
 */
export type RateLimiterOptions = {
  clock: Clock;
  link: RedisLink;
  secret: Uint8Array;
  database?: SharedRateCounter;
};

/**
 * Counts in memory and, while there is Redis or a database that others use too, there as well for all processes together; a
 * request passes when both let it. So a process never lets more pass than the rule says, whatever happens to Redis and its
 * clock, and one that is full asks no one.
 */
export const createRateLimiter = ({ clock, link, secret, database }: RateLimiterOptions): RateLimiter => {
  const memory = createMemoryRateLimiter({ clock });
  const redis = createRedisRateCounter({ link, secret });

  /** Who counts for all processes at this moment. */
  const store = (): "memory" | "redis" | "postgres" => {
    if (link.isUp) return "redis";
    return database?.isUp === true ? "postgres" : "memory";
  };

  const takeFromBoth = async (
    shared: Pick<SharedRateCounter, "take">,
    key: string,
    rule: RateRule,
  ): Promise<RateDecision> => {
    const there = await shared.take(key, rule);
    if (there?.isAllowed === false) return there;
    const here = memory.take(key, rule);
    return there === null ? here : stricter(here, there);
  };

  return {
    take: (key, rule) => {
      const at = store();
      const shared = at === "redis" ? redis : database;
      if (at === "memory" || shared === undefined) return memory.take(key, rule);
      const known = memory.look(key, rule);
      return known.isAllowed ? takeFromBoth(shared, key, rule) : known;
    },
    forget: async (key) => {
      memory.forget(key);
      const isForgotten = database?.isUp === true ? await database.forget(key) : true;
      return (link.isConfigured ? await redis.forget(key) : true) && isForgotten;
    },
    get store() {
      return store();
    },
  };
};

/** Redis let a request pass: what memory says of it, and the smaller rest. */
const stricter = (here: RateDecision, there: RateDecision): RateDecision => ({
  isAllowed: here.isAllowed,
  remaining: Math.min(here.remaining, there.remaining),
  resetMs: here.isAllowed ? Math.min(here.resetMs, there.resetMs) : here.resetMs,
});

/** `secret` is known to all processes of the installation, and to no one else. */
type RedisRateCounterOptions = { link: RedisLink; secret: Uint8Array };

/** Counts requests of all processes that share a Redis server. `null` and `false`: it could not be asked. */
type RedisRateCounter = {
  take(key: string, rule: RateRule): Promise<RateDecision | null>;
  forget(key: string): Promise<boolean>;
};

/**
 * One list of moments for each key, changed in one step by Redis's own clock; it goes by itself when its window is
 * over. Keys are hidden, because they hold addresses of people.
 */
const createRedisRateCounter = ({ link, secret }: RedisRateCounterOptions): RedisRateCounter => {
  const hide = hideKeys(secret, "rate-limit");
  const nameOf = (key: string): string => `atrium:requests:${hide(key)}`;
  link.onConnect(async (client) => {
    await client.script("LOAD", script);
    // Proves that this connection may write, and that there is room for it.
    await client.set("atrium:requests:probe", "", "PX", 1_000);
  });
  return {
    take: (key, rule) => link.ask((client) => takeThere(client, nameOf(key), rule)),
    forget: async (key) => (await link.ask((client) => client.del(nameOf(key)))) !== null,
  };
};

const takeThere = async (client: Redis, name: string, rule: RateRule): Promise<RateDecision> =>
  readDecision(await client.evalsha(scriptSha, 1, name, rule.max, rule.windowMs), rule);

/**
 * Takes what the script can say, and nothing else: it comes from a server that others may write to. What is thrown ends
 * the connection, and memory decides.
 */
const readDecision = (answer: unknown, { max, windowMs }: RateRule): RateDecision => {
  const [allowed, remaining, resetMs] = Array.isArray(answer) && answer.length === 3 ? answer : [];
  const isDecision =
    (allowed === 0 || allowed === 1) &&
    isBetween(remaining, 0, allowed === 1 ? max - 1 : 0) &&
    isBetween(resetMs, 1, windowMs);
  if (!isDecision) throw new Error("unexpected response from a script");
  return { isAllowed: allowed === 1, remaining, resetMs };
};

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Arguments: how many pass, and the window in milliseconds. Moments are rounded up: no window holds more than it may. */
const script = `
local key, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local moment = time[1] * 1000 + math.ceil(time[2] / 1000)
local function at(index) return tonumber(redis.call('LINDEX', key, index) or nil) end
if (at(-1) or 0) > moment then
  -- Requests of the future came before the clock was set back: they count from now on, for one window more.
  local known = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, earlier in ipairs(known) do redis.call('RPUSH', key, math.min(tonumber(earlier), moment)) end
end
while (at(0) or now) <= now - window do redis.call('LPOP', key) end
local used = redis.call('LLEN', key)
if used < max then redis.call('RPUSH', key, moment) end
redis.call('PEXPIRE', key, at(-1) + window - now)
local decisive = used < max and at(0) or at(used - max)
return { used < max and 1 or 0, math.max(0, max - used - 1), math.min(window, decisive + window - now) }`;

const scriptSha = new Bun.CryptoHasher("sha1").update(script).digest("hex");

type MemoryRateLimiterOptions = {
  clock: Clock;
  /** What is kept of keys that have room left. */
  open?: RecentLogsBounds;
  /** What is kept of keys that have none. */
  full?: RecentLogsBounds;
};

/** The limiter of one process. Nothing in it waits, so that it is exact however many requests come at the same time. */
type MemoryRateLimiter = {
  take(key: string, rule: RateRule): RateDecision;
  /** What `take` would decide; counts nothing. */
  look(key: string, rule: RateRule): RateDecision;
  forget(key: string): void;
  /** How many keys are remembered. */
  size(): number;
};

// Less than 150 MB with all the garbage that filling it makes; some 40 MB last.
const openBounds = { mostKeys: 100_000, mostNumbers: 1_000_000 };
const fullBounds = { mostKeys: 50_000, mostNumbers: 1_000_000 };

/**
 * Counts exactly: a log of the requests that passed, for each key. Time is told by a clock that no one can set. Keys
 * without room stand apart, so that a flood of fresh ones frees no one. Bounds and reasons:
 * docs/decisions/0017-rate-limiting.md.
 */
export const createMemoryRateLimiter = ({
  clock,
  open: mostOpen = openBounds,
  full: mostFull = fullBounds,
}: MemoryRateLimiterOptions): MemoryRateLimiter => {
  const open = createRecentLogs(mostOpen);
  const full = createRecentLogs(mostFull);

  const decide = (key: string, rule: RateRule, cost: 0 | 1): RateDecision => {
    const { max, windowMs } = rule;
    const nowMs = clock.uptimeMs();
    const log = full.take(key) ?? open.take(key) ?? [];
    dropThrough(log, nowMs - windowMs);
    const counted = countOf(log);
    const isAllowed = counted < max;
    if (isAllowed && cost > 0) addRequest(log, { nowMs, rule });
    const used = isAllowed ? counted + cost : counted;
    const isFull = used >= max;
    if (log.length > 0) (isFull ? full : open).put(key, { log, nowMs, windowMs });
    const decisiveMs = momentAfter(log, isFull ? used - max : 0);
    return {
      isAllowed,
      remaining: isFull ? 0 : max - used,
      // Moments are rounded up, so that the newest one may be a little ahead.
      resetMs: decisiveMs === null ? windowMs : Math.min(windowMs, decisiveMs + windowMs - nowMs),
    };
  };

  return {
    take: (key, rule) => decide(key, rule, 1),
    look: (key, rule) => decide(key, rule, 0),
    forget: (key) => {
      full.take(key);
      open.take(key);
    },
    size: () => open.size + full.size,
  };
};

/**
 * When requests of one key were counted, the oldest first. Each number is a run: a moment in whole milliseconds times
 * 16,384, plus how many requests it counts. One number instead of two, because there may be a million of them;
 * it is exact for seventeen years from the clock's beginning, which is about that of the process.
 */
type RequestLog = number[];

const runUnit = 16_384;
const momentOfRun = (run: number): number => Math.floor(run / runUnit);
const countOfRun = (run: number): number => run % runUnit;

// Above this many requests, moments are rounded: a log has about as many runs at most, whatever the rule allows.
const mostRuns = 1_000;

/** Forgets what happened at `horizonMs` or before. */
const dropThrough = (log: RequestLog, horizonMs: number): void => {
  const kept = log.findIndex((run) => momentOfRun(run) > horizonMs);
  if (kept !== 0) log.splice(0, kept < 0 ? log.length : kept);
};

/** How many requests a log counts. */
const countOf = (log: RequestLog): number => {
  let count = 0;
  for (const run of log) count += countOfRun(run);
  return count;
};

/**
 * Counts a request. Moments are rounded up, to a millisecond or, under a rule that allows very many, to a thousandth of
 * its window: a request then counts for that much longer, and never for less.
 */
const addRequest = (log: RequestLog, { nowMs, rule }: { nowMs: number; rule: RateRule }): void => {
  const grainMs = rule.max > mostRuns ? Math.max(1, Math.floor(rule.windowMs / mostRuns)) : 1;
  const atMs = Math.ceil(nowMs / grainMs) * grainMs;
  const last = log.at(-1) ?? 0;
  // The rule may have been a coarser one a moment ago.
  const isSameRun = momentOfRun(last) >= atMs && countOfRun(last) < runUnit - 1;
  if (isSameRun) log[log.length - 1] = last + 1;
  else log.push(Math.max(atMs, momentOfRun(last)) * runUnit + 1);
};

/** The moment at which the request after `skipped` older ones was counted; `null` when there is none. */
const momentAfter = (log: RequestLog, skipped: number): number | null => {
  let left = skipped;
  for (const run of log) {
    left -= countOfRun(run);
    if (left < 0) return momentOfRun(run);
  }
  return null;
};

/** What is kept at most: `mostKeys` logs, and `mostNumbers` numbers in all of them together. */
type RecentLogsBounds = { mostKeys: number; mostNumbers: number };

/** A log with the moment of its use, and how long requests matter. */
type UsedLog = { log: RequestLog; nowMs: number; windowMs: number };

/** Logs by key, of bounded size; those that were used longest ago are forgotten first. */
type RecentLogs = {
  /** Takes a log out, so that it may be changed. */
  take(key: string): RequestLog | undefined;
  /** Puts a log back that is not there. */
  put(key: string, used: UsedLog): void;
  /** How many logs there are. */
  readonly size: number;
};

type Generation = { logs: Map<string, RequestLog>; numbers: number };

const newGeneration = (): Generation => ({ logs: new Map(), numbers: 0 });

/**
 * Forgets in two generations, since taking the oldest entry out of a `Map` one by one takes ever longer. A log that is
 * put back is young. The old ones are dropped as soon as the young ones are half of what is kept at most, and when
 * no one has asked for them in a whole window.
 */
const createRecentLogs = ({ mostKeys, mostNumbers }: RecentLogsBounds): RecentLogs => {
  let young = newGeneration();
  let old = newGeneration();
  let bornMs = 0;
  let longestWindowMs = 0;

  const isOver = ({ nowMs, windowMs }: UsedLog): boolean => {
    longestWindowMs = Math.max(longestWindowMs, windowMs);
    const isHalf = young.logs.size * 2 >= mostKeys || young.numbers * 2 >= mostNumbers;
    return isHalf || nowMs - bornMs >= longestWindowMs;
  };

  return {
    take: (key) => {
      const generation = young.logs.has(key) ? young : old;
      const log = generation.logs.get(key);
      if (log === undefined) return undefined;
      generation.logs.delete(key);
      generation.numbers -= log.length;
      return log;
    },
    put: (key, used) => {
      young.logs.set(key, used.log);
      young.numbers += used.log.length;
      if (!isOver(used)) return;
      old = young;
      young = newGeneration();
      bornMs = used.nowMs;
    },
    get size() {
      return young.logs.size + old.logs.size;
    },
  };
};
